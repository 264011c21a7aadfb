#!/usr/bin/env bash
# Unmodified senders through the program PUSHPIT_BINARY: Tests/Clients/run.sh [--list] [--write-docs] [--via WAY] [CLIENT…]
# Keeps the clients' packages below .build.
set -euo pipefail
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
export PUSHPIT_BINARY=${PUSHPIT_BINARY:-$top/.build/release/pushpit}
[ -x "$PUSHPIT_BINARY" ] || { echo "pushpit: build it first: swift build -c release" >&2; exit 1; }

# Some clients install packages of the same name, so they have environments to themselves.
for requirements in requirements*.txt; do
    group=${requirements#requirements} group=${group%.txt} group=${group#-}
    venv=$top/.build/clients/${group:-main}
    wanted=$(sha256sum "$requirements")
    if [ "$(cat "$venv/installed" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"
        printf '%s\n' "$wanted" >"$venv/installed"
    fi
done
# Without Go, the clients in Go fail.
for source in $(command -v go >/dev/null && echo */*.go); do
    program=$top/.build/clients/$(dirname "$source")-$(basename "$source" .go)-go
    [ "$program" -nt "$source" ] || GOCACHE=$top/.build/clients/go-cache GO111MODULE=off go build -o "$program" "$source"
done

exec python3 -B run.py "$@"
