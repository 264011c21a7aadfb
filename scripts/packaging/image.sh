# The image archive, pushpit-VERSION-oci.tar; for scripts/package.

make_image() {
    image=build/pushpit-$version-oci.tar
    python3 -B scripts/packaging/image.py --binary "$program" --version "$version" --output "$image" \
        --licenses build/licenses
}

# Starts it in a container engine if one runs here, and otherwise unpacked. Sets `image_trial` to what was done.
try_image() {
    local engine status
    for engine in docker podman; do
        if ! { command -v "$engine" && "$engine" info; } >/dev/null 2>&1; then continue; fi
        status=0
        python3 -B scripts/packaging/try_image.py "$image" "$engine" || status=$?
        case $status in
            0) image_trial="started by $engine"; return ;;
            3) say "$engine can't start containers here." ;;
            *) die "the image does not work in $engine" ;;
        esac
    done
    if root_words && "${as_root[@]}" unshare --net --mount true 2>/dev/null; then
        "${as_root[@]}" python3 -B scripts/packaging/try_image.py "$image" --without-engine
        image_trial="started without a container engine"
    else
        image_trial="not started, because there is neither a container engine nor the privileges of root"
    fi
}
