#!/usr/bin/env bash
# Counts instructions per operation of the bench workloads with callgrind: exact and repeatable, whatever
# else the machine is doing. Usage: scripts/instructions.sh [WORKLOAD...]   (default: all)
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "instructions: valgrind is missing; install it with your package manager" >&2; exit 2; }
bench=$(cargo bench -p tengen-threats --bench speed --no-run --message-format=json 2>/dev/null |
  sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
if [ $# -eq 0 ]; then
  mapfile -t names < <("$bench" --rounds 1 | awk '{print $1}')
  set -- "${names[@]}"
fi
# Two runs of different length: their difference is free of start-up costs.
run() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --workload "$1" --rounds "$2" 2>&1 |
    awk '/Collected/ {c = $4} / operations / {o = $NF} END {print c, o}'
}
for name in "$@"; do
  read -r few_instructions few < <(run "$name" 5)
  read -r many_instructions many < <(run "$name" 25)
  echo "$name $(((many_instructions - few_instructions) / (many - few))) instructions"
done
