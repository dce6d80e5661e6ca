#!/usr/bin/env bash
# Makes sure that the tools are there: a C and C++ compiler, Rust with rustfmt and clippy, Node for the page; with
# the argument `browser` also Chromium and East Asian fonts for the tests in a browser, and the NATS server for those
# of the grid. Installs what it may with the
# package manager, and says exactly what to install otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

# Debian's package for each missing command.
packages=()
command -v cc >/dev/null || packages+=(gcc libc6-dev)
command -v g++ >/dev/null || command -v clang++ >/dev/null || packages+=(g++)
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
if [ "${1:-}" = browser ] || [ "${1:-}" = grid ]; then
    command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ] || packages+=(nats-server)
fi
if [ "${1:-}" = browser ]; then
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        [ -n "${TENGEN_BROWSER:-}" ] || packages+=(chromium)
    command -v fc-list >/dev/null || packages+=(fontconfig)
    { command -v fc-list >/dev/null && fc-list :lang=zh-tw family | grep -q .; } || packages+=(fonts-noto-cjk)
fi

if [ ${#packages[@]} -gt 0 ]; then
    root=()
    if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi
    if command -v apt-get >/dev/null && { [ ${#root[@]} -eq 0 ] || sudo -n true 2>/dev/null; }; then
        say "setup: installing ${packages[*]}"
        "${root[@]}" apt-get update -qq
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
    else
        say "setup: missing: ${packages[*]}"
        say "setup: install them, on Debian with: sudo apt-get install ${packages[*]}"
        exit 1
    fi
fi

needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rustup='curl --proto "=https" --tlsv1.2 -sSf https://sh.rustup.rs | sh'
cargo=${CARGO:-cargo}
if ! command -v "$cargo" >/dev/null; then
    say "setup: Rust is missing, version $needed or newer is needed"
    if [ -x "$HOME/.cargo/bin/cargo" ]; then
        say 'setup: it is installed but not in PATH; run: . "$HOME/.cargo/env"'
    else
        say "setup: install it with: $rustup"
    fi
    exit 1
fi
found=$("$cargo" --version | sed 's/^cargo \([0-9.]*\).*/\1/')
if [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    say "setup: Rust $found is too old, version $needed or newer is needed"
    if command -v rustup >/dev/null; then
        say "setup: update it with: rustup update stable"
    else
        say "setup: install a newer one with: $rustup"
    fi
    exit 1
fi
for component in fmt:rustfmt clippy:clippy; do
    if ! "$cargo" "${component%:*}" --version >/dev/null 2>&1; then
        name=${component#*:}
        if command -v rustup >/dev/null; then
            say "setup: adding $name"
            rustup component add "$name" >&2
        else
            say "setup: $name is missing; on Debian: sudo apt-get install ${name/clippy/rust-clippy}"
            exit 1
        fi
    fi
done

if [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -lt 20 ]; then
    say "setup: Node $(node --version) is too old, version 20 or newer is needed"
    exit 1
fi
# The page's packages, exactly those of the lock file; again only when it changed.
if ! cmp -s web/package-lock.json web/node_modules/.installed; then
    say "setup: installing the page's packages"
    # Not `npm ci`: it wants the builder of every platform in the lock file, and npm writes only the present one.
    npm install --no-save --prefix web --no-audit --no-fund --loglevel=error >&2
    cp web/package-lock.json web/node_modules/.installed
fi
