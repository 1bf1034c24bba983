# Two commands do everything: `make play` and `make test`.
# Each sets up a virtual environment inside the checkout by itself.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
NODE_STAMP := web/node_modules/.package-lock.json
STATIC := src/ultimo/server/static
PAGE   := $(STATIC)/index.html
POCKET := build/pocket/complete
PORT   ?= 8000
N      ?= 15
BUSY   ?= 0

.PHONY: play set-up terminal test lint types layers page pocket static page-test unit steady long mutate playthroughs conformance \
        schemas protocol screenshots bench lock clean

# The table in the browser; games are kept in the user's own folder. ARGS go to `ultimo serve`. Python and the page
# are set up side by side; the server compiles its bots while they play.
play:
	@$(MAKE) --no-print-directory -j2 set-up
	@$(MAKE) --no-print-directory pocket
	$(BIN)/ultimo serve --open --log-level warning --port $(PORT) $(ARGS)

set-up: $(STAMPS)/play page

# The table in the terminal; its bots are compiled first. ARGS go to `ultimo play`.
terminal: $(STAMPS)/play
	$(BIN)/ultimo warm --for club
	$(BIN)/ultimo play $(ARGS)

# What needs no other runs side by side: Python and the page are set up, linted and type-checked together.
test:
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target page-test lint types layers $(PAGE)
	@$(MAKE) --no-print-directory unit

lint: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMPS)/dev
	$(BIN)/mypy

layers: $(STAMPS)/dev
	$(BIN)/lint-imports

page-test: $(NODE_STAMP)
	cd web && npm run --silent check && npm run --silent test

unit: $(STAMPS)/dev $(PAGE)
	@$(MAKE) --no-print-directory pocket
	tools/system_packages.sh
	$(BIN)/ultimo warm
	$(BIN)/python -m pytest -n auto --dist loadgroup

# The tests in browsers and shells again and again, until one fails: none may depend on luck. BUSY=4 runs four busy loops
# beside them, which end with this shell.
steady: $(STAMPS)/dev $(PAGE)
	@$(MAKE) --no-print-directory pocket
	tools/system_packages.sh
	$(BIN)/ultimo warm --for club
	@for loop in $$(seq $(BUSY)); do (while kill -0 $$$$ 2>/dev/null; do :; done) & done; \
	for round in $$(seq $(N)); do \
	  echo "round $$round of $(N)"; \
	  $(BIN)/python -m pytest -n auto --dist loadgroup --exitfirst tests/browser tests/shells || exit 1; \
	done

# 2,000 random deals a rule set and every property at length, 100,000 deals a rule set on score sheets; takes
# some minutes on many cores, and an hour or two on one. Every fuzzer goes on for an hour, or ULTIMO_FUZZ_SECONDS.
long: $(STAMPS)/dev
	ULTIMO_LONG=1 $(BIN)/python -m pytest -n auto --timeout 3600 tests/fuzz tests/properties tests/secrecy tests/kernel tests/analysis \
	  tests/tutor/school/test_puzzles.py tests/tutor/test_true_sentences.py tests/club tests/conformance/test_vectors.py

# Change every value of every rulebook in turn: some test must notice.
mutate: $(STAMPS)/dev
	$(BIN)/python tools/mutate_rulebooks.py

# Write the golden playthroughs anew; read the difference before you commit it.
playthroughs: $(STAMPS)/dev
	$(BIN)/python tools/write_playthroughs.py

# Write the conformance suite anew; takes some minutes. ARGS names some of its files.
conformance: $(STAMPS)/dev
	$(BIN)/python tools/write_conformance.py $(ARGS)

schemas: $(STAMPS)/dev
	$(BIN)/python tools/write_schemas.py

# The page's types, from the messages of the server.
protocol: $(STAMPS)/dev
	$(BIN)/python tools/write_protocol.py

# The pictures in docs, made anew in a real browser.
screenshots: $(STAMPS)/dev $(PAGE)
	tools/system_packages.sh
	$(BIN)/python tools/screenshots.py

# Everything side by side in a quarter of an hour; ARGS=--full takes an hour or two, ARGS=research measures one topic.
bench: $(STAMPS)/bench $(PAGE)
	$(BIN)/python -m benchmarks.run $(ARGS)

lock:
	cd requirements && for name in play serve cluster analysis dev bench pocket; do \
	  uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $$name.in -o $$name.lock; \
	done

clean:
	rm -rf $(VENV) web/node_modules $(STATIC) static-house build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

# --- the page: built with Node, into the package --------------------------------------------------------

page:
ifneq ($(shell command -v npm 2>/dev/null),)
page: $(PAGE)
else
	@echo "There is no Node (20 or newer) here: the server starts without the page, and says so."
endif

$(NODE_STAMP): web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(NODE_STAMP) $(shell find web/src web/public web/index.html web/vite.config.ts -type f 2>/dev/null)
	cd web && npm run --silent build

# What lets the page play without its server: Python for browsers, a wheel, the package. It needs the page and a
# virtual environment with the package, whichever; if the wheel cannot be fetched it says so, and tries the next time.
pocket: $(if $(wildcard $(PAGE)),$(POCKET))

$(POCKET): tools/pocket.py requirements/pocket.lock $(PAGE) \
           $(shell find src/ultimo -name static -prune -o \( -name '*.py' -o -name '*.toml' -o -name '*.jsonl' \) -print)
	$(BIN)/python tools/pocket.py $(STATIC)

# The page that needs no server at all, for any host of plain files.
static: $(STAMPS)/play $(NODE_STAMP)
	cd web && npm run --silent build:static
	$(BIN)/python tools/pocket.py static-house --alone

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
