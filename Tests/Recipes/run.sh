#!/usr/bin/env bash
# Follows the recipes of docs/recipes, the examples of docs/exec.md and docs/running.md and the commands that install, with the program PUSHPIT_BINARY, or the release build: Tests/Recipes/run.sh [TEST…]
set -euo pipefail
cd "$(dirname "$0")"
source ../Conformance/environment.sh
unset PUSHPIT_URL PUSHPIT_API_TOKEN PUSHPIT_API_TOKEN_FILE PUSHPIT_CREDENTIALS PUSHPIT_CERTS
[ $# -gt 0 ] || set -- test_recipes test_pipelines test_services test_running test_install test_exec_page
exec "$python" -B -m unittest -v "$@"
