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

# Most tests wait, above all those with browsers, so these run beside the others.
beside=(console receivers)
others() {
    "$python" -m pytest "${beside[@]/#/--ignore=}" || return 1
    PYTHONPATH=$PWD "$python" process/suites.py
}
# Without job control, a shell starts programs in the background with SIGINT ignored, and tests send it.
set -m
start=$SECONDS
log() { printf '%s' "$top/.build/tests-of-$1.log"; }
jobs=()
for folder in "${beside[@]}"; do
    "$python" -m pytest "$folder" >"$(log "$folder")" 2>&1 &
    jobs+=($!)
done
trap 'for job in "${jobs[@]}"; do kill -TERM -- "-$job" 2>/dev/null || true; done' EXIT
failed=no
others || failed=yes
echo "live tests without ${beside[*]}; HTTP/2 conformance, abuse and credentials: $((SECONDS - start)) s"
for job in "${jobs[@]}"; do wait "$job" || failed=yes; done
trap - EXIT
for folder in "${beside[@]}"; do cat "$(log "$folder")"; done
echo "live tests: $((SECONDS - start)) s"
[ "$failed" = no ]
