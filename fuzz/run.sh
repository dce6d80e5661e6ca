#!/bin/sh
# Builds every fuzz target and runs each for SECONDS (10 unless given). Fails on a crash, which is
# kept in fuzz/artifacts/TARGET/ and can be replayed by giving it to the target as an argument.
#
# Works with the stable compiler and without cargo-fuzz: the coverage counters that libFuzzer needs
# are switched on by compiler flags. `--target` keeps these flags away from build scripts.
#
#   fuzz/run.sh [SECONDS [TARGET...]]
set -eu
cd "$(dirname "$0")"
seconds=${1:-10}
[ $# -gt 0 ] && shift
targets=${*:-sgf lib psq ccgc moves protocols}

host=$(rustc -vV | sed -n 's/^host: //p')
build=${CARGO_TARGET_DIR:-target}/fuzz
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code -Ccodegen-units=1 --cfg fuzzing" \
    cargo build --quiet --release --target "$host" --target-dir "$build"

for target in $targets; do
    mkdir -p "corpus/$target" "artifacts/$target"
    log="artifacts/$target/log"
    if "$build/$host/release/$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="artifacts/$target/" -print_final_stats=1 \
        "corpus/$target" "seeds/$target" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz $target: $runs inputs in $seconds s, no crash"
    else
        tail -n 40 "$log" >&2
        echo "fuzz $target: crashed, see fuzz/artifacts/$target" >&2
        exit 1
    fi
done
