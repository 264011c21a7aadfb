# The archive, pushpit-VERSION-linux-ARCH.tar.gz; for scripts/package.

make_archive() {
    local name=pushpit-$version-linux-$(uname -m)
    local folder=build/$name
    archive=build/$name.tar.gz
    rm -rf "$folder"
    mkdir -p "$folder"
    install -m 755 "$program" "$folder/pushpit"
    cp -r CHANGELOG.md LICENSE docs "$folder/"
    # The kits for Node and Go are installed from a folder. The one for Python is in the wheel.
    tar -cf - --exclude=__pycache__ --exclude='.*_cache' --exclude=test.sh --exclude=clients/node/test --exclude='*_test.go' \
        clients/node clients/go examples | tar -C "$folder" -xf -
    rm "$folder/docs/pushpit.1"
    write_readme "$folder/README.md"
    cp -r build/licenses "$folder/"
    copy_share "$folder/share" zsh/site-functions
    tar -C build --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$name" | gzip -n >"$archive"
}

try_archive() {
    local folder
    folder=$(fresh_folder)
    "${as_root[@]}" tar -C "$folder" --no-same-owner --strip-components=1 -xzf "$archive"
    "${as_root[@]}" scripts/trial "$folder/pushpit" "$bare_root"
    for file in README.md docs/install.md share/man/man1/pushpit.1 share/zsh/site-functions/_pushpit licenses/libssl \
        clients/node/package.json clients/go/go.mod examples/orders/README.md; do
        [ -s "$folder/$file" ] || die "$archive has no $file"
    done
    if grep -n '@[A-Z]*@' "$folder/README.md"; then die "the package's README.md has a gap"; fi
    "${as_root[@]}" rm -rf "$folder"
}
