# Two commands matter: `make up` and `make test`. Both do all set-up first and are quick when repeated.

# What is built lives outside the tree, so that a fresh clone starts warm.
KOORD_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/koord
export KOORD_CACHE
export CARGO_TARGET_DIR ?= $(KOORD_CACHE)/target

BIN := .venv/bin
RUST_SOURCES := $(shell find rust bpf -type f -not -name '*.md') Cargo.toml Cargo.lock
VECTORS ?=

.PHONY: up test soak lint format wheel notices vectors crds lock setup clean

up: setup
	@$(BIN)/koord up $(if $(ONCE),--once)

test: setup
	@$(BIN)/python -m tools.suites

soak: setup
	@$(BIN)/python -m tools.suites --soak

lint: setup
	@$(BIN)/python -m tools.lint

format: setup
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .
	cargo fmt
	$(BIN)/clang-format -i bpf/*.h bpf/*.c

wheel: setup
	$(BIN)/python -m tools.wheel

notices: setup
	@$(BIN)/python -m tools.notices

vectors: setup
	@$(BIN)/python -m tools.vectors $(VECTORS)

crds: setup
	@$(BIN)/python -m tools.crds

# Newest versions that pyproject.toml allows; the files name no download host.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header
lock: setup
	$(LOCK) pyproject.toml -o requirements/runtime.lock
	$(LOCK) -c requirements/runtime.lock pyproject.toml requirements/dev.in -o requirements/dev.lock
	cargo update

setup: .venv/.core

.venv/.debian: requirements/debian.txt tools/debian.sh
	@mkdir -p .venv
	@tools/debian.sh requirements/debian.txt
	@touch $@

.venv/.python: .venv/.debian requirements/dev.lock
	@python3 -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@touch $@

.venv/.core: .venv/.python pyproject.toml $(RUST_SOURCES)
	@touch $@.started
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/maturin develop --release --quiet --uv
	@mv $@.started $@

clean:
	rm -rf .venv dist
