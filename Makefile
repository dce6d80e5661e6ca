# What people run, and what .ci/run runs. Each target sets up what it needs.

CARGO ?= cargo
TENGEN = $(CARGO) run --quiet --release --package tengen-cli --bin tengen --

.PHONY: help run example page test test-grid lint bench signature types setup
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup page ## build everything and start the workbench in the browser
	$(CARGO) build --release
	target/release/tengen serve --open

example: setup ## a worked example in the terminal
	$(CARGO) build --release
	@CARGO="$(CARGO)" scripts/example.sh

page: setup ## build the page
	npm run --silent --prefix web build

test: ## everything that must hold: format, lints, tests, page in a browser, docs, signature, fuzzing
	@CARGO="$(CARGO)" scripts/setup.sh browser
	@CARGO="$(CARGO)" scripts/test.sh

test-grid: ## the grid under faults, each at least 20 times, with a real server and real processes; prints the counts
	@CARGO="$(CARGO)" scripts/setup.sh grid
	TENGEN_FAULTS=20 TENGEN_FAULT_PAUSE=60 $(CARGO) test --package tengen-grid --test grid_faults --test grid_liars -- --nocapture --test-threads=4

lint: setup ## format and lints only
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

bench: setup ## speeds, and the signature of behaviour
	$(TENGEN) bench

signature: setup ## accept the present signature of behaviour as the expected one
	$(TENGEN) bench --quick > suites/bench/signature.txt
	@cat suites/bench/signature.txt

setup:
	@CARGO="$(CARGO)" scripts/setup.sh

types: setup ## write the types of the page from those of the server
	UPDATE_TYPES=1 $(CARGO) test --quiet --package tengen-server --test types
