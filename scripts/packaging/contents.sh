# What several packages contain; for scripts/package, which sets `version` and `glibc`.

# Each library in the program: its name for people, the package with its licence, and that package's version.
libraries() {
    local package
    while read -r package name; do
        printf '%s %s %s\n' "$package" "$(dpkg-query -W -f '${Version}' "$package" | sed -E 's/^[0-9]+://; s/(\.dfsg)?-[^-]*$//')" "$name"
    done <<END
libnghttp2-dev nghttp2
libssl-dev OpenSSL
libuv1-dev libuv
libsqlite3-dev SQLite
zlib1g-dev zlib
$(dpkg -S "$(realpath "$(clang -print-file-name=libstdc++.a)")" | cut -d: -f1) libstdc++ and libgcc
END
}

# The licences, one file for each library, and the texts that Debian's files refer to.
copy_licenses() {
    local package swift
    mkdir -p "$1"
    install -m 644 LICENSE "$1/pushpit"
    for package in $(libraries | cut -d' ' -f1); do
        install -m 644 "/usr/share/doc/$package/copyright" "$1/${package%-dev}"
    done
    install -m 644 /usr/share/common-licenses/{Apache-2.0,GPL-3} "$1/"
    swift=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
    install -m 644 "$swift/share/swift/LICENSE.txt" "$1/swift"
}

# Manual page and completions below share, where programs look for them. The directory for zsh is the second argument.
copy_share() {
    local share=$1 zsh=$2
    mkdir -p "$share"/{man/man1,bash-completion/completions,"$zsh",fish/vendor_completions.d}
    install -m 644 docs/pushpit.1 "$share/man/man1/"
    "$release" completions bash >"$share/bash-completion/completions/pushpit"
    "$release" completions zsh >"$share/$zsh/_pushpit"
    "$release" completions fish >"$share/fish/vendor_completions.d/pushpit.fish"
}

# The first version of each system that has this glibc or a later one.
systems() {
    awk -v needed="$1" -v FS=' = ' '
        function number(text, parts) { split(text, parts, "."); return parts[1] * 1000 + parts[2] }
        number($2) >= number(needed) { name = $1; sub(/ [0-9.]+$/, "", name)
            if (!(name in seen)) { seen[name]; line = line (line ? ", " : "") $1 } }
        END { print line }' <<'END'
Debian 11 = 2.31
Debian 12 = 2.36
Debian 13 = 2.41
Ubuntu 20.04 = 2.31
Ubuntu 22.04 = 2.35
Ubuntu 24.04 = 2.39
Fedora 36 = 2.35
Fedora 37 = 2.36
Fedora 40 = 2.39
Fedora 42 = 2.41
Red Hat Enterprise Linux 9 = 2.34
Red Hat Enterprise Linux 10 = 2.39
END
}

write_readme() {
    local rows
    rows=$(libraries | sed -E 's/^(\S+) (\S+) (.*)$/| \3 | \2 |/'; printf '| Swift | %s |\n' "$(swift_version)")
    rows=$rows awk -v version="$version" -v arch="$(uname -m)" -v glibc="$glibc" \
        -v systems="$(systems "$glibc")" '
        { gsub("@VERSION@", version); gsub("@ARCH@", arch); gsub("@GLIBC@", glibc); gsub("@SYSTEMS@", systems) }
        $0 == "@LIBRARIES@" { print ENVIRON["rows"]; next }
        { print }' scripts/packaging/README.md >"$1"
}

swift_version() { swift --version 2>/dev/null | grep -oE 'Swift version [0-9.]+' | cut -d' ' -f3; }
