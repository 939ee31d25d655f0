# Everything a user or a developer runs. Plain `make` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup play test test-compiled test-checked test-interpreted lint bench bench-compare clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/ready ## create .venv and install Daedalus in it

$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Daedalus needs Python 3.11 or later; say make PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

play: setup ## play in the terminal
	@$(BIN)/daedalus play

test: setup test-compiled test-checked test-interpreted ## run all tests: compiled, bounds-checked, interpreted

test-compiled: setup ## the tests as users run the code
	$(BIN)/pytest -n $(WORKERS) --dist loadfile

test-checked: setup ## the tests of kernels with every array access checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest tests -n $(WORKERS) --dist loadfile

test-interpreted: setup ## the reduced set that plain Python can run in time
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) --dist loadfile -m interpreted

lint: setup ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: setup ## how fast it is on this machine
	$(BIN)/daedalus bench

BASE ?= HEAD
GAME ?=

bench-compare: setup ## this checkout beside another commit, as ratios: make bench-compare BASE=HEAD~1 GAME=quoridor
	$(BIN)/python benchmarks/compare.py "$(BASE)" $(GAME)

clean: ## remove .venv and what tools leave behind (not your saved games)
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
