# `make run` and `make test` do all the set-up on a fresh machine: only Python and make are assumed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP_STAMP := $(VENV)/.setup-done
DEV_STAMP := $(VENV)/.dev-done
# Which tests `make test` runs: all of them, or for instance TESTS=tests/unit.
TESTS ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test check format lint types direction templates sanitize clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(SETUP_STAMP): pyproject.toml
	@$(PYTHON) tools/bootstrap.py --venv $(VENV)
	@touch $@

$(DEV_STAMP): $(SETUP_STAMP)
	@$(BIN)/python tools/bootstrap.py --venv $(VENV) --extra dev
	@touch $@

setup: $(SETUP_STAMP)  ## Install into .venv and stop

run: $(SETUP_STAMP)  ## Set up, start the service, measure the first ladder, print the URL
	@$(BIN)/roofladder serve

test: $(DEV_STAMP)  ## Set up and run every test that needs no GPU
	@$(BIN)/python -m pytest -m 'not gpu' $(TESTS)

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

sanitize: $(DEV_STAMP)  ## compute-sanitizer over every CUDA stage (needs an NVIDIA GPU and the CUDA toolkit)
	@$(BIN)/python -m bench.sanitize

check: lint types direction templates test  ## Everything CI runs

clean:  ## Remove what `make` made (not your data)
	@rm -rf $(VENV) build *.egg-info
