# The wheel, pushpit-VERSION-py3-none-TAG.whl; for scripts/package.

make_wheel() {
    local tag
    tag=manylinux_${glibc/./_}_$(uname -m)
    wheel=build/pushpit-$version-py3-none-$tag.whl
    python3 -B clients/python/build_wheel.py --binary "$program" --version "$version" --output build --tag "$tag" \
        --licenses build/licenses >/dev/null
    [ -s "$wheel" ] || die "build_wheel.py has not made $wheel"
}

# Installs the wheel as a user without privileges: in the bare system, or else in a virtual environment on this system.
try_wheel() {
    local folder
    folder=$(fresh_folder)
    "${as_root[@]}" cp "$wheel" "$folder/"
    local here=${folder#"$bare_root"}
    local install='python3 -m venv "$0/venv" && "$0/venv/bin/pip" install --quiet --no-index --no-deps "$0"/*.whl'
    install+=' && PATH=$0/venv/bin:$PATH && pushpit --version && python -c "import pushpit"'
    if [ -n "$bare_root" ]; then
        "${as_root[@]}" chown 65534:65534 "$folder"
        in_bare_root env -i HOME=/tmp PATH=/usr/bin:/bin PIP_DISABLE_PIP_VERSION_CHECK=1 \
            setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "$install" "$here"
    else
        env -i HOME=/tmp PATH=/usr/bin:/bin PIP_DISABLE_PIP_VERSION_CHECK=1 sh -c "$install" "$here"
    fi >"$folder.log" || { cat "$folder.log" >&2; die "$wheel can't be installed"; }
    grep -qx "pushpit $version" "$folder.log" || die "the installed wheel does not put pushpit $version on the PATH"
    "${as_root[@]}" scripts/trial "$folder/venv/bin/pushpit" "$bare_root"
    "${as_root[@]}" rm -rf "$folder" "$folder.log"
}
