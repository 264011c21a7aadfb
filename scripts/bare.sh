# Makes a Debian (or Ubuntu) below .build that has only the base packages and our libraries. Source this after lib.sh.

# Sets `as_root` to the words that run a command as root without a prompt; fails if there is no way to do that.
root_words() {
    as_root=()
    [ "$(id -u)" = 0 ] && return 0
    as_root=(sudo -n)
    command -v sudo >/dev/null && sudo -n true 2>/dev/null
}

# The mirror and the suite from which apt installs this system's packages.
apt_mirror() {
    local codename uri
    codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
        | awk -v suite="$codename" '$2 == suite && $3 == "main" && !found { print $1; found = 1 }')
    # If the mirrors are listed in a file, take the first one.
    case $uri in
        mirror+file:*) uri=$(awk '/^[a-z]+:/ && !found { print $1; found = 1 }' "${uri#mirror+file:}") ;;
    esac
    case $uri in
        http://* | https://* | file:*) printf '%s %s\n' "$uri" "$codename" ;;
        *) return 1 ;;
    esac
}

# The packages of the libraries that we link. Since 2024 the names of some end in t64.
library_packages() {
    local name
    for name in libssl3 libnghttp2-14 libuv1 libsqlite3-0 zlib1g; do
        dpkg-query -W -f='${Package}\n' "${name}t64" 2>/dev/null || printf '%s\n' "$name"
    done | paste -sd,
}

# Sets `bare_root` to the directory of such a system, or `bare_reason` to the reason why there cannot be one.
find_bare_root() {
    local mirror suite
    bare_root='' bare_reason=''
    root_words || { bare_reason="no root rights"; return 0; }
    read -r mirror suite < <(apt_mirror) || { bare_reason="no package mirror among apt's sources"; return 0; }
    local root=$PWD/.build/bare/$suite-$(dpkg --print-architecture)
    if [ "$(cat "$root.made" 2>/dev/null)" != "$(library_packages)" ]; then
        (need debootstrap) || { bare_reason="no debootstrap"; return 0; }
        say "Making a bare $suite in .build/bare …"
        mkdir -p .build/bare
        "${as_root[@]}" rm -rf --one-file-system "$root"
        "${as_root[@]}" debootstrap --variant=minbase --include="$(library_packages)" "$suite" "$root" "$mirror" \
            >.build/bare/log 2>&1 || { bare_reason="debootstrap failed, see .build/bare/log"; return 0; }
        "${as_root[@]}" find "$root/var/cache/apt/archives" -name '*.deb' -delete
        library_packages > "$root.made"
    fi
    "${as_root[@]}" unshare --mount mount --bind /proc "$root/proc" 2>/dev/null \
        || { bare_reason="mounting is not allowed here"; return 0; }
    bare_root=$root
}
