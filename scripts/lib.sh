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

# The program as it ships: Swift's library is linked statically, which also makes it a fifth faster.
release=.build/release/pushpit
# Optimized across modules when it is linked: a push takes a twentieth less (40,400 -> 38,300 instructions).
build_release() {
    swift build -c release --product pushpit --static-swift-stdlib --experimental-lto-mode full "$@"
}

# Runs a part and says how long it took.
part() {
    local name=$1 start=$SECONDS
    shift
    say "== $name"
    "$@"
    say "== $name: $((SECONDS - start)) s"
}
