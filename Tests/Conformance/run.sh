#!/usr/bin/env bash
# The live tests: real clients against the program PUSHPIT_BINARY. Keeps its Python packages below .build.
# With arguments it passes them to pytest and runs only that: Tests/Conformance/run.sh wire/test_frames.py -k ping
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

start=$SECONDS
"$python" -m pytest "$@"
echo "live tests: $((SECONDS - start)) s"
[ $# -eq 0 ] || exit 0

start=$SECONDS
PYTHONPATH=$PWD "$python" process/suites.py
echo "HTTP/2 conformance, abuse and credentials: $((SECONDS - start)) s"
