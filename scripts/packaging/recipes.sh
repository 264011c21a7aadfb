# Checks the form of Dockerfile, compose.yaml, action.yml and the formula; for scripts/package. None of them is run here; a
# live test runs the steps of action.yml.

check_recipes() {
    need ruby rubocop lintian skopeo
    local venv=.build/packaging-venv wanted
    wanted=$(sha256sum scripts/packaging/requirements.txt)
    if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement scripts/packaging/requirements.txt
        printf '%s\n' "$wanted" >"$venv/installed"
    fi
    "$venv/bin/hadolint" Dockerfile
    "$venv/bin/check-jsonschema" --quiet --builtin-schema vendor.compose-spec compose.yaml
    "$venv/bin/check-jsonschema" --quiet --builtin-schema vendor.github-actions action.yml
    ruby -wc Formula/pushpit.rb >/dev/null
    rubocop --only Lint,Layout/LineLength,Layout/IndentationWidth,Style/StringLiterals --format quiet --cache false --config scripts/packaging/rubocop.yml \
        Formula/pushpit.rb
}

# Debian's own checks of the package, and a second opinion about the image.
check_packages() {
    # The authors have no mail address, and the licences of the libraries have to be there in full.
    local allowed=bogus-mail-host,bogus-mail-host-in-debian-changelog,copyright-file-contains-full-apache-2-license
    lintian --fail-on error,warning --allow-root --suppress-tags "$allowed" "$deb"
    skopeo inspect "docker-archive:$image" >/dev/null
    skopeo inspect "oci-archive:$image:$version" >/dev/null
}
