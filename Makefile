# Two commands do everything: `make play` and `make test`.
# Each sets up a virtual environment inside the checkout by itself.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
BENCH  := $(VENV)/bench
RULES  ?= dtf

.PHONY: play test lint types layers check unit long mutate playthroughs schemas bench lock clean

play: $(STAMPS)/play
	$(BIN)/ultimo warm
	$(BIN)/ultimo play --rules $(RULES) $(ARGS)

test: lint types layers unit

lint: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMPS)/dev
	$(BIN)/mypy

layers: $(STAMPS)/dev
	$(BIN)/lint-imports

unit: $(STAMPS)/dev
	$(BIN)/ultimo warm
	$(BIN)/python -m pytest -n auto

# 2,000 random deals a rule set and every property at length; takes some minutes.
long: $(STAMPS)/dev
	ULTIMO_LONG=1 $(BIN)/python -m pytest -n auto --timeout 3600 tests/properties tests/secrecy tests/kernel tests/analysis

# Change every value of every rulebook in turn: some test must notice.
mutate: $(STAMPS)/dev
	$(BIN)/python tools/mutate_rulebooks.py

# Write the golden playthroughs anew; read the difference before you commit it.
playthroughs: $(STAMPS)/dev
	$(BIN)/python tools/write_playthroughs.py

schemas: $(STAMPS)/dev
	$(BIN)/python tools/write_schemas.py

# Everything side by side in a quarter of an hour, in an environment of its own; ARGS=--full takes an hour or two.
bench: $(BENCH)/.stamp
	$(BENCH)/bin/python -m benchmarks.run $(ARGS)

lock:
	cd requirements && for name in play analysis dev bench; do \
	  uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $$name.in -o $$name.lock; \
	done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

# --- set-up: uv where there is one, pip otherwise --------------------------------------------------------

UV := $(shell command -v uv 2>/dev/null)
ifdef UV
install = $(UV) pip install --quiet --python $(BIN)/python
else
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

$(STAMPS)/venv:
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/%: requirements/%.lock pyproject.toml | $(STAMPS)/venv
	$(install) --require-hashes -r requirements/$*.lock
	$(install) --no-deps --no-build-isolation -e .
	@touch $@

# OpenSpiel is only ever compared with: it stays out of the environment in which all else runs.
$(BENCH)/.stamp: BIN := $(BENCH)/bin
$(BENCH)/.stamp: requirements/bench.lock pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(install) --require-hashes -r requirements/bench.lock
	$(install) --no-deps --no-build-isolation -e .
	@touch $@
