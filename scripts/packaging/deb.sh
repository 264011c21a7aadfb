# The package for Debian and its relatives, pushpit_VERSION_ARCH.deb; for scripts/package.

make_deb() {
    local architecture
    architecture=$(dpkg --print-architecture)
    local root=build/deb
    deb=build/pushpit_${version}_$architecture.deb
    rm -rf "$root"
    mkdir -p "$root"/{DEBIAN,usr/bin,usr/share/doc/pushpit,usr/share/lintian/overrides}
    install -m 755 "$program" "$root/usr/bin/pushpit"
    copy_share "$root/usr/share" zsh/vendor-completions
    gzip -9n "$root/usr/share/man/man1/pushpit.1"
    local doc=$root/usr/share/doc/pushpit
    cp -r docs "$doc/"
    rm "$doc/docs/pushpit.1"
    write_copyright >"$doc/copyright"
    debian_changelog | gzip -9n >"$doc/changelog.gz"
    # lintian reports libraries that are linked in. Here this is on purpose: docs/notes/static-binary.md.
    printf 'pushpit: embedded-library *\n' >"$root/usr/share/lintian/overrides/pushpit"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    cat >"$root/DEBIAN/control" <<END
Package: pushpit
Version: $version
Architecture: $architecture
Maintainer: The Pushpit authors <pushpit@localhost>
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= $glibc)
Recommends: libcurl4t64 | libcurl4, ca-certificates
Section: net
Priority: optional
Description: push service for development and tests
 Pushpit answers a backend as Apple's APNs and Google's FCM would, records
 every push, and shows what a phone would have done with it. Nothing reaches
 a real phone.
 .
 The program contains its libraries. libcurl4 is needed only to fetch media.
END
    find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    chmod -R u=rwX,go=rX "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
}

write_copyright() {
    local file
    printf 'This is Pushpit, made from its own repository.\n\n'
    cat build/licenses/pushpit
    for file in build/licenses/*; do
        case ${file##*/} in pushpit | Apache-2.0 | GPL-3) continue ;; esac
        printf '\n\nThe program contains %s, with this licence:\n\n' "${file##*/}"
        cat "$file"
    done
}

debian_changelog() {
    printf 'pushpit (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the repository.\n\n' "$version"
    printf ' -- The Pushpit authors <pushpit@localhost>  %s\n' "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
}

try_deb() {
    local folder file
    if [ -z "$bare_root" ]; then
        folder=$(fresh_folder)
        dpkg-deb --extract "$deb" "$folder"
        scripts/trial "$folder/usr/bin/pushpit"
        rm -rf "$folder"
        return
    fi
    "${as_root[@]}" cp "$deb" "$bare_root/tmp/pushpit.deb"
    in_bare_root dpkg --install /tmp/pushpit.deb >/dev/null || die "dpkg can't install $deb"
    "${as_root[@]}" scripts/trial "$bare_root/usr/bin/pushpit" "$bare_root"
    for file in share/man/man1/pushpit.1.gz share/bash-completion/completions/pushpit share/doc/pushpit/copyright; do
        [ -s "$bare_root/usr/$file" ] || die "$deb has not installed /usr/$file"
    done
    in_bare_root dpkg --verify pushpit || die "files of $deb differ from its md5sums"
    in_bare_root dpkg --purge pushpit >/dev/null
    [ ! -e "$bare_root/usr/bin/pushpit" ] || die "dpkg has not removed the program"
    "${as_root[@]}" rm "$bare_root/tmp/pushpit.deb"
}
