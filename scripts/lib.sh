# Shared by the scripts here; to be sourced from the repository's top.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export LSAN_OPTIONS="suppressions=$PWD/scripts/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp:print_suppressions=0"

# Prints the comment at the top of the script.
show_help() { sed -n '2,/^[^#]/s/^# //p' "scripts/$(basename "$0")"; }
say() { printf '%s\n' "$*"; }
die() { printf 'pushpit: %s\n' "$*" >&2; exit 1; }

# Installs the Debian packages that are missing. Quick if none are missing.
need() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null || die "needs the packages ${missing[*]}, and there is no apt-get to install them"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "needs the packages ${missing[*]}: install them as root, or install sudo"
        as_root=(sudo)
    fi
    say "Installing ${missing[*]} …"
    "${as_root[@]}" apt-get update -qq >/dev/null || die "apt-get update failed; is there a network?"
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null \
        || die "apt-get could not install ${missing[*]}"
}

need_swift() {
    command -v swift >/dev/null || die "needs a Swift 6.3 toolchain on the PATH (swift.org/install)"
    local version
    version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+')
    [ "$(printf '%s\n6.3\n' "$version" | sort -V | head -n 1)" = 6.3 ] || die "needs Swift 6.3 or later, found $version"
}

need_build_packages() { need pkg-config libnghttp2-dev libssl-dev libuv1-dev libsqlite3-dev zlib1g-dev; }

# Makes .build/archives: links to the archives of the libraries that the program contains, and files for pkg-config that
# lead to them instead of the shared libraries.
link_archives() {
    local folder=$PWD/.build/archives name path
    mkdir -p "$folder"
    for name in libnghttp2 openssl libssl libcrypto libuv sqlite3 zlib; do
        path=$(pkg-config --variable=pcfiledir "$name")/$name.pc
        sed -E "s|^(shared)?libdir=.*|\\1libdir=$folder|" "$path" >"$folder/$name.pc"
    done
    for name in nghttp2 ssl crypto uv sqlite3 z stdc++; do
        # Some versions of libuv have another name for the archive.
        path=$(clang -print-file-name="lib$name.a")
        [ -e "$path" ] || path=$(clang -print-file-name="lib${name}_a.a")
        [ -e "$path" ] || die "there is no lib$name.a: the package that has lib$name.so should have it too"
        ln -sf "$path" "$folder/lib$name.a"
    done
}

# The program as it ships: it needs only libc and libm. docs/notes/static-binary.md explains each option.
release=.build/release/pushpit
build_release() {
    link_archives
    PKG_CONFIG_PATH=$PWD/.build/archives swift build -c release --product pushpit --static-swift-stdlib \
        --experimental-lto-mode full --disable-local-rpath -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -O2 \
        -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
        -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import "$@"
}

# Runs a part and says how long it took.
part() {
    local name=$1 start=$SECONDS
    shift
    say "== $name"
    "$@"
    say "== $name: $((SECONDS - start)) s"
}
