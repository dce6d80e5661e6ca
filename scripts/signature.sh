#!/usr/bin/env bash
# Compares the signature of behaviour, from two runs, with the expected one. A difference means that a
# change was functional: look why, then accept it with `make signature` and name it in the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
expected=$(cat suites/bench/signature.txt)
"$cargo" build --quiet --release --package tengen-cli
for run in first second; do
    found=$("$cargo" run --quiet --release --package tengen-cli --bin tengen -- bench --quick)
    if [ "$found" != "$expected" ]; then
        printf 'the %s run differs from suites/bench/signature.txt\n' "$run" >&2
        printf 'expected: %s\nfound:    %s\n' "$expected" "$found" >&2
        exit 1
    fi
done
printf '%s (twice)\n' "$found"
