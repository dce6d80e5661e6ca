#!/usr/bin/env bash
# Everything that must hold, cheapest first. `make test` calls this; the last lines are a summary.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

step() { printf '\n== %s\n' "$*"; }

step "format"
"$cargo" fmt --all --check

step "page: types, build, tests of its modules"
npm run --silent --prefix web check
npm run --silent --prefix web build
(cd web && node --test test/unit/) 2>&1 | tee "$log"
page=$(sed -n 's/^# pass \([0-9]*\)$/\1/p' "$log" | tail -n 1)

step "lints"
"$cargo" clippy --workspace --all-targets -- -D warnings

step "tests"
# The integration tests of the command line run on the binary that cargo builds here.
if "$cargo" nextest --version >/dev/null 2>&1; then
    "$cargo" nextest run --workspace --no-fail-fast 2>&1 | tee "$log"
    tests=$(sed 's/\x1b\[[0-9;]*m//g' "$log" | sed -n 's/.* \([0-9]*\) tests\{0,1\} run: \([0-9]*\) passed.*/\2/p' | tail -n 1)
else
    "$cargo" test --workspace --lib --bins --tests --no-fail-fast 2>&1 | tee "$log"
    tests=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
fi

step "page: in a real browser"
# The tests of the command line have just built the binary; with its checks on it serves the page from web/dist.
"$cargo" build --quiet --profile test --package tengen-server --example search_by_hand
export TENGEN_BINARY=${CARGO_TARGET_DIR:-$PWD/target}/debug/tengen
(cd web && node --test --test-concurrency=1 test/browser/) 2>&1 | tee "$log"
browser=$(sed -n 's/^# pass \([0-9]*\)$/\1/p' "$log" | tail -n 1)

step "examples in the documentation"
"$cargo" test --workspace --doc 2>&1 | tee "$log"
examples=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')

step "documentation"
RUSTDOCFLAGS="-D warnings" "$cargo" doc --workspace --no-deps --quiet
echo "no warnings"

step "signature"
scripts/signature.sh
signature=$(cat suites/bench/signature.txt)

step "fuzzing"
fuzz/run.sh 10

step "all good"
printf 'tests:         %s passed\n' "$tests"
printf 'page:          %s passed, in a browser %s\n' "$page" "$browser"
printf 'doc examples:  %s passed\n' "$examples"
printf 'signature:     %s\n' "$signature"
printf '%s passed, 0 failed\n' "$((tests + examples + page + browser))"
