#!/usr/bin/env bash
# Tests the Python kit, and then the example that uses it, with the program PUSHPIT_BINARY. With arguments it passes
# them to pytest and tests only the kit: clients/python/test.sh tests/test_plugin.py. Keeps its packages below .build.
set -euo pipefail
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$top/.build/release/pushpit} PYTHONDONTWRITEBYTECODE=1
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }

venv=$top/.build/clients/python-kit
python=$venv/bin/python
wanted=$(sha256sum requirements.txt)
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps -e .
    printf '%s\n' "$wanted" >"$venv/installed"
fi
tests=("$python" -m pytest -p no:cacheprovider)

[ $# -eq 0 ] || exec "${tests[@]}" "$@"
"${tests[@]}" -n 2 --dist worksteal
cd "$top/examples/orders"
# As its README says, both ways: each worker with a gateway, and all of them with one.
"${tests[@]}" -n 2
"$PUSHPIT_BINARY" exec -- "${tests[@]}" -n 2
