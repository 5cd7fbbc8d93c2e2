# `make run` and `make test` do all the set-up on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP_STAMP := $(VENV)/.setup-done
DEV_STAMP := $(VENV)/.dev-done
# A CUDA extra only where a driver is present; its major version decides which.
CUDA_EXTRA := $(shell command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: \([0-9]*\).*/,cuda\1/p' | head -1)

.DEFAULT_GOAL := help
.PHONY: help setup run test check format lint types direction templates clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(SETUP_STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 run")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[cpu$(CUDA_EXTRA)]' \
	 || { echo 'No Numba wheel for this Python: the CPU ladder will be NumPy and BLAS only.'; $(BIN)/pip install -q --disable-pip-version-check -e '.[$(CUDA_EXTRA:,%=%)]'; }
	@touch $@

$(DEV_STAMP): $(SETUP_STAMP)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

setup: $(SETUP_STAMP)  ## Install into .venv and stop

run: $(SETUP_STAMP)  ## Set up, start the service, measure the first ladder, print the URL
	@$(BIN)/roofladder serve

test: $(DEV_STAMP)  ## Set up and run every test that needs no GPU
	@$(BIN)/python -m pytest -m 'not gpu'

format: $(DEV_STAMP)  ## Rewrite the code in the project's format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lint: $(DEV_STAMP)  ## Format and lint, changing nothing
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .

types: $(DEV_STAMP)  ## mypy --strict
	@$(BIN)/mypy

direction: $(DEV_STAMP)  ## Direction of imports, no cycles
	@$(BIN)/lint-imports

templates: $(DEV_STAMP)  ## Lint the templates
	@$(BIN)/djlint app/templates --lint

check: lint types direction templates test  ## Everything CI runs

clean:  ## Remove what `make` made (not your data)
	@rm -rf $(VENV) build *.egg-info
