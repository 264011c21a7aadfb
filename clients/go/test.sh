#!/usr/bin/env bash
# The tests of this kit against the program PUSHPIT_BINARY, or the release build: clients/go/test.sh [OPTION of go test…]
set -euo pipefail
cd "$(dirname "$0")"
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$(cd ../.. && pwd)/.build/release/pushpit}
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }
unset PUSHPIT_URL PUSHPIT_API_TOKEN PUSHPIT_API_TOKEN_FILE PUSHPIT_CREDENTIALS PUSHPIT_CERTS
export GOPROXY=off GOFLAGS=
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "run gofmt -w on $unformatted" >&2; exit 1; }
go vet ./...
# Go does not know that the tests depend on the program, so it must not use an older result.
exec go test -count=1 "$@" ./...
