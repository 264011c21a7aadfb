# Makes a Debian (or Ubuntu) below .build that has only the base packages and Python, to try wheels in. Source this file after lib.sh.

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

# Sets `bare_root` to the directory of such a system, or `bare_reason` to the reason why there cannot be one.
find_bare_root() {
    local mirror suite
    bare_root='' bare_reason=''
    root_words || { bare_reason="no root privileges"; return 0; }
    read -r mirror suite < <(apt_mirror) || { bare_reason="no package mirror among apt's sources"; return 0; }
    local root=$PWD/.build/bare/$suite-$(dpkg --print-architecture)
    local packages=python3-venv
    if [ "$(cat "$root.made" 2>/dev/null)" != "$packages" ]; then
        (need debootstrap) || { bare_reason="no debootstrap"; return 0; }
        say "Making a bare $suite in .build/bare …"
        mkdir -p .build/bare
        "${as_root[@]}" rm -rf --one-file-system "$root"
        "${as_root[@]}" debootstrap --variant=minbase --include="$packages" "$suite" "$root" "$mirror" \
            >.build/bare/log 2>&1 || { bare_reason="debootstrap failed, see .build/bare/log"; return 0; }
        "${as_root[@]}" find "$root/var/cache/apt/archives" -name '*.deb' -delete
        printf '%s\n' "$packages" > "$root.made"
    fi
    "${as_root[@]}" unshare --mount mount --bind /proc "$root/proc" 2>/dev/null \
        || { bare_reason="mounting is not allowed here"; return 0; }
    bare_root=$root
}

# Runs a command as root in that system. Swift reads the arguments from /proc, which is mounted for this command only.
in_bare_root() {
    "${as_root[@]}" unshare --mount sh -c 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$bare_root" "$@"
}

# Prints the path of a new folder in that system, or of a temporary one here.
fresh_folder() {
    local folder
    if [ -z "$bare_root" ]; then mktemp -d; return; fi
    folder=$("${as_root[@]}" mktemp -d "$bare_root/tmp/package.XXXXXX")
    "${as_root[@]}" chmod 755 "$folder"
    printf '%s\n' "$folder"
}
