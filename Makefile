.DEFAULT_GOAL := help
PYTHON ?= python3

help: ## show this
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: ## install everything a developer needs
	$(PYTHON) -m pip install -e '.[dev,ocr]'

check: ## style, types, layers
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	lint-imports

test: ## the fast tests
	$(PYTHON) -m pytest

slow: ## the slow tests
	$(PYTHON) -m pytest -m slow

bench: ## what the harness and the scorers cost
	$(PYTHON) benchmarks/harness.py
	$(PYTHON) benchmarks/scorers.py

demo: ## the main job, offline
	snellen run eyechart --model ocr

.PHONY: help setup check test slow bench demo
