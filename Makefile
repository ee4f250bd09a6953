# The front door: `make` lists what there is. Everything runs in .venv, which the first target that needs it makes.

PYTHON ?= python3
BIN := .venv/bin
N ?= 2000
RECORDS ?= 1000000
# $(call PIP,folder) installs into an environment, with the pip of .venv: to give each its own takes seconds.
PIP = $(BIN)/python -m pip --python $(1)/bin/python install --quiet --disable-pip-version-check
EXTRAS_browser = pages,browser
EXTRAS_editors = lsp,editors
# One of what `apis` compares takes no newer google-genai, so that no release of it fits with the rest.
CONSTRAINTS_apis = constraints-apis.txt
CONSTRAINTS_api-requests = constraints-api-requests.txt
TOGETHER = dev adapters peers engines browser editors mutants docs hook resolver releaser
UV = build/uv/bin/uv
COMPILE = $(UV) pip compile --quiet --upgrade --python-version 3.11 --no-annotate pyproject.toml \
	--custom-compile-command 'make constraints'
GOLDEN = $(shell grep -l 'pytest.mark.golden' tests/test_*.py)
PYTHON_CODE = converters tests benchmarks fixtures/examples hatch_build.py
# The tests of the laws, and every test of which the suite takes samples.
LAWS = tests/test_laws.py tests/test_text.py tests/test_migrate_tool_md.py \
	$(shell grep -lE "^from rows import .*(THOROUGH|sample)" tests/test_*.py)

.PHONY: help demo test compiled quick check lint types laws everyday corpus suites bench tokens weights programs race peers apis engines adapters example hook browser pages editors mutants pictures docs constraints newest oldest accept wheel release clean
.DEFAULT_GOAL := help

help: ## list what there is
	@grep -hE '^[a-z]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 10

# $(call INSTALL,folder,[extras],constraints): an environment with toolglot and what its extras need. Python compiles what
# it imports: pip would compile all, of which most is never imported.
define INSTALL
	@test -x $(1)/bin/python || $(PYTHON) -m venv --without-pip $(1)
	@echo 'installing into $(1)'
	@$(UV) pip install --quiet --python $(1) --constraint $(3) --editable '.$(2)' 2>/dev/null || \
		$(call PIP,$(1)) --no-compile --constraint $(3) --editable '.$(2)'
	@touch $@
endef

# What the product needs comes with pip, as for everybody who installs it.
.venv/user: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'toolglot needs Python 3.11 or newer: make PYTHON=python3.11 demo'; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo 'installing into .venv'
	@$(call PIP,.venv) --no-compile --constraint constraints.txt --editable .
	@touch $@

# pip looks for what the tests need for half a minute, uv for a second. Where uv cannot be had, or is told of no index that
# it can reach, pip does it.
$(UV): | .venv/user
	@$(PYTHON) -m venv --without-pip build/uv
	-@$(call PIP,build/uv) --no-compile --constraint constraints.txt uv

.venv/ready: .venv/user $(UV)
	$(call INSTALL,.venv,[dev],constraints.txt)

# An environment of its own for what is no part of the suite: the extra of its name, and others that it needs.
build/%/ready: pyproject.toml constraints.txt constraints-apis.txt constraints-api-requests.txt | .venv/user $(UV)
	$(call INSTALL,build/$*,[$(or $(EXTRAS_$*),$*)],$(or $(CONSTRAINTS_$*),constraints.txt))

demo: .venv/user ## install toolglot, and convert MCP tools of ours to those of OpenAI, with the report
	$(BIN)/toolglot convert fixtures/demo/notes.mcp.json --to openai

test: .venv/ready ## the whole suite
	$(BIN)/python -m pytest -q -n auto

quick: lint types test ## lint, types and tests: the most of what CI runs

check: ## what CI runs: demo, lint, types, wheel, site and tests; `make browser` is a job beside it
	+@.ci/run

# Each worker of the suite would compile all tests for itself. What is wrong with one, the suite says.
compiled: .venv/ready
	@$(BIN)/python -m pytest -q --collect-only >/dev/null || true

lint: .venv/ready ## formatting and lint
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/ruff check $(PYTHON_CODE)

# In one process: `--num-workers` ends with an error where a worker takes three seconds to start, as on a busy machine.
types: .venv/ready ## mypy --strict
	$(BIN)/mypy

laws: .venv/ready ## the six laws with N=2000 examples each, new ones every time
	TOOLGLOT_LAWS=$(N) $(BIN)/python -m pytest -q -n auto $(LAWS)
	$(BIN)/python tests/judged_laws.py $$((10 * $(N)))

everyday: .venv/ready ## a repository of N=2000 everyday files through check, migrate, the hooks and catalog
	TOOLGLOT_EVERYDAY=$(N) $(BIN)/python -m pytest -q tests/test_everyday.py

corpus: .venv/ready ## real documents through every format (needs ../shared/corpus)
	$(BIN)/python tests/corpus.py
	$(BIN)/python tests/provider_corpus.py
	$(BIN)/python tests/rule_rates.py
	$(BIN)/python tests/invented_corpus.py

suites: .venv/ready ## published suites of JSON Schema, JSON and YAML, all of each (needs ../shared/suites)
	$(BIN)/python tests/suites.py

bench: .venv/ready ## speed, as ratios to parse + serialise and to `python -c pass`; 10,000 files; RECORDS=1000000 records
	$(BIN)/python benchmarks/table.py
	$(BIN)/python benchmarks/tree.py
	$(BIN)/python benchmarks/stream.py $(RECORDS)
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/serving.py
	$(BIN)/python benchmarks/serving.py changes 600
	PYTHONPATH=tests $(BIN)/python benchmarks/editor.py

tokens: .venv/ready ## the formula of estimated tokens: fitted on one half of the corpus, tried on the other
	PYTHONPATH=tests $(BIN)/python benchmarks/token_fit.py

weights: .venv/ready ## the words of orders-in-text weighed anew, and judged by what was held out and by SEEN= and UNSEEN= (needs ../shared/corpus)
	PYTHONPATH=tests $(BIN)/python benchmarks/manipulation.py --seen $(SEEN) --unseen $(UNSEEN)

programs: .venv/ready ## N=2000 calls of random click, typer and argparse programs: what arrives is what was asked; 20000 is the proof
	$(BIN)/python tests/program_calls.py $(N)

race: .venv/ready ## two and four migrations at once, 300 times each, also with a Ctrl-C in one of them: nothing may be lost
	$(BIN)/python benchmarks/race.py 300 2
	$(BIN)/python benchmarks/race.py 300 4
	$(BIN)/python benchmarks/race.py 300 2 interrupt
	$(BIN)/python benchmarks/race.py 300 4 interrupt

peers: build/peers/ready ## toolglot beside the schema converters of agent libraries, quality and speed
	PYTHONPATH=tests build/peers/bin/python benchmarks/peers.py

apis: build/apis/ready build/api-requests/ready ## the readers of OpenAPI in agent libraries, and requests read back
	PYTHONPATH=tests build/apis/bin/python benchmarks/apis.py
	PYTHONPATH=tests build/api-requests/bin/python benchmarks/api_requests.py

# Ray, Spark and pandas warn about each other.
engines: build/engines/ready ## docs/reference/many-machines.md as printed on Ray, Spark, datasets and Dask; kills on Ray; how long each takes (needs Java)
	build/engines/bin/python -m pytest -q -W ignore tests/engines
	build/engines/bin/python tests/engines/times.py

# The clients of TypeScript's SDK, of both generations of the protocol, where there is npm; else their tests are skipped.
NODE_PACKAGES = @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0

build/adapters/node: build/adapters/ready
	@! command -v npm >/dev/null || npm install --silent --ignore-scripts --no-save --prefix build/adapters $(NODE_PACKAGES)
	@touch $@

adapters: build/adapters/ready build/adapters/node ## tools as objects of agent frameworks; skills, held to the libraries of Agent Skills and A2A
	build/adapters/bin/python -m pytest -q tests/adapters

example: .venv/ready ## docs/reference/end-to-end.md: from a server of tools to models of three vendors and to clients of what is served
	$(BIN)/python -m pytest -q tests/test_transcripts.py -k end-to-end

hook: build/hook/ready ## the hooks of this repository, tried by pre-commit in a scratch repository
	PYTHONPATH=tests build/hook/bin/python tests/hook.py

browser: build/browser/ready ## the pages of catalogues and reports in a real browser (needs Chromium: apt-get install chromium)
	build/browser/bin/python -m pytest -q tests/browser

pages: build/browser/ready ## how large pages of many tools are, and how quick in a real browser
	PYTHONPATH=tests build/browser/bin/python benchmarks/pages.py

# The protocol's library for Node, as the extension of VS Code has it. Neovim comes with the extra `editors`.
build/editors/node: build/editors/ready
	npm install --silent --ignore-scripts --no-save --prefix build/editors vscode-languageserver-protocol@3.18.5
	@touch $@

build/editors/toolglot.vsix: build/editors/ready $(wildcard fixtures/examples/vscode/*)
	rm -rf build/editors/vscode
	cp -r fixtures/examples/vscode build/editors/vscode
	cd build/editors/vscode && npm install --silent --ignore-scripts && npm run --silent package -- --out ../toolglot.vsix

editors: build/editors/node build/editors/toolglot.vsix ## `toolglot lsp` asked by Node and Neovim, and the extension for VS Code (needs npm)
	NODE_PATH=build/editors/node_modules node tests/editors/client.js $(CURDIR)/build/editors/bin/toolglot
	build/editors/bin/nvim --headless --clean -l tests/editors/client.lua $(CURDIR)/build/editors/bin/toolglot

mutants: build/mutants/ready ## mutation testing of the rules about safety; survivors must stand in tests/mutants.md
	@$(BIN)/python -m pip --python build/mutants/bin/python uninstall --quiet --yes toolglot # the copies that are changed are imported
	build/mutants/bin/python tests/mutants.py

pictures: .venv/ready ## the pictures in docs/images; those of pages need Chromium
	PYTHONPATH=tests $(BIN)/python tests/pictures.py

docs: build/docs/ready ## the site of the documents in build/site/html, its links checked; BASE_URL= is where it will be
	TOOLGLOT_BASE_URL=$(BASE_URL) PYTHONPATH=tests build/docs/bin/python tests/docs_site.py

constraints: $(UV) ## the releases that every environment installs, anew: constraints.txt
	$(COMPILE) $(TOGETHER:%=--extra %) --output-file constraints.txt
	$(COMPILE) --extra apis --output-file constraints-apis.txt
	$(COMPILE) --extra api-requests --output-file constraints-api-requests.txt

# In environments of their own, because a test of the suite says what happens without the frameworks.
define TRY
	@echo 'installing into build/$@'
	@$(UV) venv --quiet --clear --seed --python $(PYTHON) build/$@/suite
	@$(UV) venv --quiet --clear --python $(PYTHON) build/$@/adapters
	@$(UV) pip install --quiet --python build/$@/suite --resolution $(RESOLUTION) --editable '.[dev]'
	@$(UV) pip install --quiet --python build/$@/adapters --resolution $(RESOLUTION) --editable '.[adapters]'
	build/$@/suite/bin/python -m pytest -q -n auto
	build/$@/adapters/bin/python -m pytest -q tests/adapters
endef

newest: RESOLUTION = highest
newest: $(UV) ## the suite and the adapters with the newest releases that our bounds allow
	$(TRY)

oldest: RESOLUTION = lowest-direct # of what we name; what that needs is the newest that fits
oldest: $(UV) ## the suite and the adapters with the lowest releases that our bounds allow
	$(TRY)

accept: .venv/ready ## rewrite golden files and generated docs; then read the diff
	TOOLGLOT_ACCEPT=1 $(BIN)/python -m pytest -q -m golden $(GOLDEN)

wheel: .venv/ready ## build the wheel and try it in a clean environment
	rm -rf build/wheel
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel >/dev/null
	$(call TRY_INSTALLED,build/wheel,*.whl)

# $(call TRY_INSTALLED,folder,pattern): what a user gets who installs a distribution, in a clean environment.
define TRY_INSTALLED
	rm -rf $(1)/env
	$(PYTHON) -m venv --without-pip $(1)/env
	$(call PIP,$(1)/env) --constraint constraints.txt $(1)/$(2)
	cd $(1) && env/bin/toolglot convert ../../fixtures/demo/TOOL.md --to atip --fail-on danger >demo.json
	cd $(1) && env/bin/toolglot check demo.json
	find $(1)/env -path '*/catalogs/pages/templates/script.js' | grep -q .
	test -f $(1)/env/share/man/man1/toolglot.1
endef

release: .venv/user build/releaser/ready ## what a tag publishes, in build/release: both distributions, each checked and tried
	$(BIN)/python -c 'import toolglot; print("## " + toolglot.__version__)' | grep -qxFf - CHANGELOG.md
	rm -rf build/release
	build/releaser/bin/python -m build --outdir build/release
	build/releaser/bin/python -m twine check --strict build/release/*.whl build/release/*.tar.gz
	$(call TRY_INSTALLED,build/release,*.whl)
	$(call TRY_INSTALLED,build/release,*.tar.gz)

clean: ## remove everything that was made
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
