# Everything a user or a developer runs. Plain `make` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
AXE := $(VENV)/npm

.DEFAULT_GOAL := help
.PHONY: help setup play test tools test-compiled test-checked test-interpreted lint bench bench-compare clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/developed ## create .venv and install Daedalus in it with the tools of its developers

# Two stamps: who only plays does not wait for the tools of those who test.
$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Daedalus needs Python 3.11 or later; say make PYTHON=python3.12"; exit 2; }
	@echo "Installing Daedalus in $(VENV), once: a minute or two, some 600 MB"
	@$(PYTHON) -m venv $(VENV)
	@PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --disable-pip-version-check -e ".[web]"
	@touch $@

$(VENV)/developed: $(VENV)/ready
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

# The game runs in a process group of its own (-m), so that Ctrl-C reaches it and not make, which would complain; 130 is Ctrl-C.
play: $(VENV)/ready ## play in the browser (in the terminal: .venv/bin/daedalus play)
	@if [ -t 0 ]; then sh -mc '$(BIN)/daedalus web; exit $$?'; else $(BIN)/daedalus web; fi || [ $$? -eq 130 ]

test: setup test-compiled test-checked test-interpreted ## run all tests: compiled, bounds-checked, interpreted

# What some tests need beside Python: installed where that is allowed, else named, and their tests say that they were skipped.
tools:
	@for tool in tmux chromium postgresql; do \
	command -v $$tool >/dev/null || ls /usr/lib/$$tool/*/bin/initdb >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing $$tool for the tests" \
	&& { apt-get install -y -qq $$tool >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq $$tool; } >/dev/null 2>&1; }; } \
	|| echo "$$tool is missing and cannot be installed here: the tests that need it are skipped"; done
	@[ -f $(AXE)/node_modules/axe-core/axe.min.js ] || { command -v npm >/dev/null \
	&& npm install --silent --no-fund --no-audit --prefix $(AXE) axe-core@4.14.0 >/dev/null 2>&1; } \
	|| echo "axe-core is missing and cannot be installed here (npm): the test of accessibility is skipped"

test-compiled: setup tools ## the tests as users run the code
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

test-checked: setup ## the tests of kernels with every array access checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest tests -n $(WORKERS) --dist loadfile --no-loadscope-reorder

test-interpreted: setup ## the reduced set that plain Python can run in time
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m interpreted

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
