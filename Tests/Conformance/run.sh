#!/usr/bin/env bash
# The live tests: real clients against the program PUSHPIT_BINARY. Keeps its Python packages below .build.
# With arguments it passes them to pytest and runs only that: Tests/Conformance/run.sh wire/test_frames.py -k ping
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

if [ $# -gt 0 ]; then
    "$python" -m pytest "$@"
    exit
fi

# Most tests wait, above all those of the console, so these run beside the others.
console() { "$python" -m pytest console; }
others() {
    "$python" -m pytest --ignore=console || return 1
    PYTHONPATH=$PWD "$python" process/suites.py
}
# Without job control, a shell starts programs in the background with SIGINT ignored, and tests send it.
set -m
start=$SECONDS
console >"$top/.build/console-tests.log" 2>&1 &
beside=$!
trap 'kill -TERM -- "-$beside" 2>/dev/null || true' EXIT
failed=no
others || failed=yes
echo "live tests without the console, HTTP/2 conformance, abuse and credentials: $((SECONDS - start)) s"
wait "$beside" || failed=yes
trap - EXIT
cat "$top/.build/console-tests.log"
echo "live tests: $((SECONDS - start)) s"
[ "$failed" = no ]
