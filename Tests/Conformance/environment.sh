# The Python packages of the live tests, below .build. To be sourced; sets `python` and PUSHPIT_BINARY.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$top/.build/conformance-venv
python=$venv/bin/python
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$top/.build/release/pushpit}
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }

requirements=$top/Tests/Conformance/requirements.txt
wanted=$(cd "$(dirname "$requirements")" && sha256sum requirements.txt)
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$requirements"
    printf '%s\n' "$wanted" > "$venv/installed"
fi
