#!/usr/bin/env bash
# The live tests: real clients against the program PUSHPIT_BINARY. Keeps its Python packages below .build.
# With arguments it passes them to pytest and runs only that: Tests/Conformance/run.sh wire/test_frames.py -k ping
set -euo pipefail
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
venv=$top/.build/conformance-venv
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$top/.build/release/pushpit}
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }

wanted=$(sha256sum requirements.txt)
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
    printf '%s\n' "$wanted" > "$venv/installed"
fi

start=$SECONDS
"$venv/bin/python" -m pytest "$@"
echo "live tests: $((SECONDS - start)) s"
[ $# -eq 0 ] || exit 0

start=$SECONDS
PYTHONPATH=$PWD "$venv/bin/python" process/suites.py
echo "HTTP/2 conformance, abuse and credentials: $((SECONDS - start)) s"
