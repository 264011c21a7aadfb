#!/usr/bin/env bash
# The tests of this kit against the program PUSHPIT_BINARY, or the release build: clients/node/test.sh [FILE…]
set -euo pipefail
cd "$(dirname "$0")"
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$(cd ../.. && pwd)/.build/release/pushpit}
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }
unset PUSHPIT_URL PUSHPIT_API_TOKEN PUSHPIT_API_TOKEN_FILE PUSHPIT_CREDENTIALS PUSHPIT_CERTS
[ $# -gt 0 ] || set -- test/*.test.js
exec node --test "$@"
