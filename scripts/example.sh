#!/usr/bin/env bash
# A worked example in the terminal: an opening in which White threatens and Black must answer, and a
# win by threats with its proof.
set -euo pipefail
cd "$(dirname "$0")/.."
tengen() {
    printf '\n$ tengen %s\n' "$*"
    "${CARGO:-cargo}" run --quiet --release --package tengen-cli --bin tengen -- "$@"
}

game=(J10 I8 H9 K11 L10 J7 K6)
tengen show --threats "${game[@]}"
printf '\nWhite threatens twice; Black has three ways to stop both. After F11 L5:\n'
tengen threats "${game[@]}" F11 L5 --first 6

printf '\nA win by threats, searched, proved and checked:\n'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tengen solve --zones 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B' --proof "$folder/win.proof"
tengen check "$folder/win.proof"
tengen proof show "$folder/win.proof" --depth 2
cat <<'TEXT'

The binary is target/release/tengen. Try
  target/release/tengen show --svg board.svg J10 I8 H9
  target/release/tengen solve --help
  target/release/tengen --help
TEXT
