#!/usr/bin/env bash
# Attacks on the program PUSHPIT_BINARY: Tests/Abuse/run.sh [--list] [--seconds N] [--slack N] [--survive-only] [ROW…]
# `run.sh soak` runs soak.py instead: all rows in turn on one gateway. `run.sh figures` measures what real receivers cost.
set -euo pipefail
cd "$(dirname "$0")"
source ../Conformance/environment.sh
program=run.py
case "${1:-}" in soak) program=soak.py; shift ;; figures) program=receivers/figures.py; shift ;; esac
ulimit -n "$(ulimit -Hn)"
PYTHONPATH=../Conformance:receivers:. exec "$python" -B "$program" "$@"
