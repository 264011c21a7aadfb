#!/usr/bin/env bash
# Attacks on the program PUSHPIT_BINARY: Tests/Abuse/run.sh [--list] [--seconds N] [--slack N] [--survive-only] [ROW…]
# `run.sh soak` runs soak.py instead: all rows in turn on one gateway.
set -euo pipefail
cd "$(dirname "$0")"
source ../Conformance/environment.sh
program=run.py
[ "${1:-}" != soak ] || { program=soak.py; shift; }
ulimit -n "$(ulimit -Hn)"
PYTHONPATH=../Conformance exec "$python" -B "$program" "$@"
