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

# The tests with browsers mostly wait, so they run beside the others. A third job beside them made two cores so busy that
# tests failed in CI.
beside=(console receivers)
browsers() {
    local failed=no
    for folder in "${beside[@]}"; do "$python" -m pytest "$folder" || failed=yes; done
    [ "$failed" = no ]
}
others() {
    "$python" -m pytest "${beside[@]/#/--ignore=}" || return 1
    PYTHONPATH=$PWD "$python" process/suites.py
}
# Without job control, a shell starts programs in the background with SIGINT ignored, and tests send it.
set -m
start=$SECONDS
log="$top/.build/tests-with-browsers.log"
browsers >"$log" 2>&1 &
job=$!
trap 'kill -TERM -- "-$job" 2>/dev/null || true' EXIT
failed=no
others || failed=yes
echo "live tests without ${beside[*]}; HTTP/2 conformance, abuse and credentials: $((SECONDS - start)) s"
wait "$job" || failed=yes
trap - EXIT
cat "$log"
echo "live tests: $((SECONDS - start)) s"
[ "$failed" = no ]
