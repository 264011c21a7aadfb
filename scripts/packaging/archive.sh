# The archive, pushpit-VERSION-linux-ARCH.tar.gz; for scripts/package.

make_archive() {
    local name=pushpit-$version-linux-$(uname -m)
    local folder=build/$name
    archive=build/$name.tar.gz
    rm -rf "$folder"
    mkdir -p "$folder"
    install -m 755 "$program" "$folder/pushpit"
    cp -r build/licenses "$folder/"
    copy_share "$folder/share" zsh/site-functions
    write_readme "$folder/README.md"
    copy_documents "$folder"
    tar -C build --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$name" | gzip -n >"$archive"
}

# The documents, kits and examples. README.md and share are there already, because documents link to them.
copy_documents() {
    cp -r CHANGELOG.md SECURITY.md LICENSE docs "$1/"
    # The kits for Node and Go are installed from a folder. The one for Python is in the wheel; here is how to use it.
    tar -cf - --exclude=__pycache__ --exclude='.*_cache' --exclude=test.sh --exclude=clients/node/test --exclude='*_test.go' \
        clients/node clients/go clients/python/README.md examples | tar -C "$1" -xf -
    rm "$1/docs/pushpit.1"
    scripts/packaging/documents.py "$1"
}

try_archive() {
    local folder
    folder=$(fresh_folder)
    "${as_root[@]}" tar -C "$folder" --no-same-owner --strip-components=1 -xzf "$archive"
    "${as_root[@]}" scripts/trial "$folder/pushpit" "$bare_root"
    for file in README.md docs/install.md share/man/man1/pushpit.1 share/zsh/site-functions/_pushpit licenses/libssl \
        clients/python/README.md clients/node/package.json clients/go/go.mod examples/orders/README.md; do
        [ -s "$folder/$file" ] || die "$archive has no $file"
    done
    if grep -n '@[A-Z]*@' "$folder/README.md"; then die "the package's README.md has a gap"; fi
    "${as_root[@]}" rm -rf "$folder"
}
