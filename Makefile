# make demo   a first answer from the sample Web
# make test   all checks and all tests
# CONTRIBUTING.md lists the other targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
KERNELS := $(wildcard src/whatsrelated/kernels/*/*.pyx)
CPLUS := $(shell grep -l 'distutils: language=c++' $(KERNELS) /dev/null)
SHARED := src/whatsrelated/kernels/shared/_cython.c
CORES := $(shell getconf _NPROCESSORS_ONLN)

.PHONY: release demo check prose reasons test install build lint format docs site bench papers sanitize damage attack system clean

demo: install
	@$(BIN)/related demo
	@echo "The command is $(BIN)/related; after source $(BIN)/activate, just related."

# Run these before every commit; they need no browser, no Java and no server.
QUICK := tests/contract tests/names tests/query tests/vicinity tests/machine tests/ranks tests/api \
  tests/test_contract.py tests/test_errors.py tests/test_layers.py tests/test_mirror.py \
  tests/test_options.py tests/test_public_names.py tests/test_size.py tests/test_stream.py

check: $(VENV)/tests lint
	$(BIN)/pytest --numprocesses $(CORES) --dist loadfile $(QUICK)

# Print 200 random sentences of the project for a critical reader: make prose SEED=7 BELOW=src
prose: $(VENV)/tests
	@$(BIN)/python -m tests.prose --seed $(or $(SEED),0) $(if $(BELOW),--below $(BELOW))

# Print 200 random reasons of all methods on real graphs for a critical reader.
reasons: $(VENV)/tests $(VENV)/kernels
	@$(BIN)/python -m tests.reasons --seed $(or $(SEED),0)

# Uses all cores; each test file runs in one process, so its fixtures are made only once.
test: $(VENV)/tests lint
	@echo "Running all tests; this takes about twelve minutes on two cores."
	$(BIN)/pytest --numprocesses $(CORES) --dist loadfile --cov --cov-report=

lint: $(VENV)/tests $(VENV)/kernels
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/tests
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/tests $(VENV)/kernels
	$(BIN)/python docs/tables.py
	$(BIN)/python -m docs.manual
	$(BIN)/python -m docs.stub
	$(BIN)/python -m docs.chart

# Build the docs as a site in build/site, with formulas, search, and related pages on every page; publish the sample Web in it.
site: $(VENV)/tests $(VENV)/kernels
	@rm -rf build/site/sample
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --tag sample docs build/site
	$(BIN)/related publish sample -o build/site/sample --name "the sample Web"
	@echo "build/site/index.html"

bench: $(VENV)/tests $(VENV)/kernels
	$(BIN)/python -m benchmarks.store build/benchmarks
	$(BIN)/python -m benchmarks.queries build/benchmarks

# Redo the tables, figures and claims of the five papers, and compare them with the docs; takes a quarter of an hour.
papers: $(VENV)/tests $(VENV)/kernels
	$(BIN)/python -m benchmarks.papers

# Run the kernel tests, crafted graphs and the corpus with AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: $(VENV)/tests $(VENV)/kernels
	sh tests/sanitize.sh

# Damage a graph 2,000 times, and run every verb each time.
damage: $(VENV)/tests $(VENV)/kernels
	RELATED_DAMAGES=2000 $(BIN)/pytest tests/hostile/test_damaged_graphs.py

# Ten minutes of every family of attacks: make attack SEED=7 MINUTES=10
SEED ?= 0
MINUTES ?= 10
attack: $(VENV)/tests $(VENV)/kernels
	$(BIN)/python -m tests.hostile.attack --seed $(SEED) --minutes $(MINUTES)

install: $(VENV)/package $(VENV)/kernels

build: $(VENV)/kernels

# Install the Debian packages that some tests need, as listed in tests/system.txt.
system:
	@sh tests/system.sh

# Build the sdist, the wheel and the docs site: everything in a release except the upload.
release: $(VENV)/tests site
	$(BIN)/python release.py

clean:
	rm -rf $(VENV) build src/*.egg-info src/whatsrelated/kernels/*/*.c src/whatsrelated/kernels/*/*.cpp src/whatsrelated/kernels/*/*.so

# The rules below run once, and again when pyproject.toml or a kernel changes.

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  f"whatsrelated needs Python 3.11 or later, got {sys.version.split()[0]}: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/tools: pyproject.toml | $(VENV)/made
	@$(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  > $(VENV)/tools.txt
	$(PIP) --requirement $(VENV)/tools.txt
	@touch $@

# One process translates all changed kernels, so shared declarations are read once: a third of the time.
CYTHON := $(BIN)/cython -3 --shared whatsrelated.kernels.shared._cython
INCLUDED := $(wildcard src/whatsrelated/kernels/*/*.px[di])

$(VENV)/cython: $(VENV)/cython-c $(VENV)/cython-cpp $(SHARED)
	@touch $@

$(VENV)/cython-c: $(filter-out $(CPLUS),$(KERNELS)) $(INCLUDED) $(VENV)/tools
	@echo "Compiling the kernels (build/kernels.log)"
	@mkdir -p build
	@$(CYTHON) $(if $(filter-out %.pyx,$?),$(filter %.pyx,$^),$(filter %.pyx,$?)) \
	  > build/kernels.log 2>&1 || { cat build/kernels.log; exit 1; }
	@touch $@

$(VENV)/cython-cpp: $(CPLUS) $(INCLUDED) $(VENV)/tools | $(VENV)/cython-c
	@[ -z "$(CPLUS)" ] || \
	  $(CYTHON) --cplus $(if $(filter-out %.pyx,$?),$(filter %.pyx,$^),$(filter %.pyx,$?)) \
	  >> build/kernels.log 2>&1 || { cat build/kernels.log; exit 1; }
	@touch $@

# The part of Cython that all kernels share.
$(SHARED): $(VENV)/tools
	$(BIN)/cython -3 --generate-shared $@

# CC=false CXX=false: kernels have their own rule, which compiles only what changed.
$(VENV)/package: pyproject.toml setup.py $(VENV)/tools | $(VENV)/cython
	CC=false CXX=false $(PIP) --no-build-isolation --editable '.[server,vault,zst]'
	@touch $@

$(VENV)/tests: pyproject.toml setup.py $(VENV)/tools | $(VENV)/cython
	CC=false CXX=false $(PIP) --no-build-isolation --editable '.[test]'
	@touch $@ $(VENV)/package

$(VENV)/kernels: pyproject.toml setup.py $(VENV)/cython $(wildcard src/whatsrelated/kernels/*/*.h)
	@rm -f src/whatsrelated/kernels/*/*.cpython-*.so  # for one Python only; they would hide the others
	@CFLAGS="$$CFLAGS -g0" CXXFLAGS="$$CXXFLAGS -g0" $(BIN)/python setup.py build_ext \
	  --inplace --parallel $(CORES) >> build/kernels.log 2>&1 & \
	while [ -t 2 ] && kill -0 $$! 2> /dev/null; do \
	  made=$$(find src/whatsrelated/kernels -name '*.so' -newer $(VENV)/cython | wc -l); \
	  printf '\r%d of %d compiled ' $$made $(words $(KERNELS)) >&2; sleep 1; \
	done; \
	wait $$! || { tail -n 20 build/kernels.log; exit 1; }; [ ! -t 2 ] || echo >&2
	@for kernel in $(KERNELS); do \
	  newest=$$(ls -t "$$kernel" "$${kernel%.pyx}".*.so 2>/dev/null | head -n 1); \
	  [ "$$newest" != "$$kernel" ] || { rm -f "$${kernel%.pyx}".*.so; plain=yes; }; \
	done; \
	if [ -z "$$plain" ]; then touch $@; else \
	  echo "Some kernels could not be compiled (see build/kernels.log); slower Python code is used instead."; \
	fi
