# SPDX-License-Identifier: Apache-2.0
# Thin: each target sets up what it needs (tools/setup.sh), then calls CMake, ctest, lit or pytest.
# Nothing is fetched when nothing is missing.

BUILD  ?= build
JOBS   ?= $(shell nproc)
PYTHON := $(BUILD)/venv/bin/python

.DEFAULT_GOAL := build
.PHONY: run build check test test-long bench bench-sweep bench-device python docs debug asan tsan fuzz campaigns format format-check clean help

help: ## show this list
	@grep -hE '^[a-z -]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-21s %s\n", $$1, $$2}'

build: ## set up and build: build/bin/heddle, build/bin/heddle-opt, build/lib/libheddle.so, build/lib/libheddle_rt.so
	@tools/setup.sh build
	@tools/configure.sh release $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS)

run: build ## compile examples/bert_layer.mlir once, run it at five shapes, check and time it
	@tools/run_example.sh $(BUILD)

check: build ## the tests of three minutes: unit, lit and the quick part of pytest
	@tools/setup.sh check
	@$(PYTHON) tools/run_tests.py --build $(BUILD) --group check --quick $(TESTFLAGS)

test: build ## every test; closes with a line "N passed, N failed"
	@tools/setup.sh test
	@$(PYTHON) tools/run_tests.py --build $(BUILD) --group test $(TESTFLAGS)

test-long: build ## the tests of "make test", the long models, each generator of random programs and each fuzzer for an hour
	@tools/setup.sh test
	@$(PYTHON) tools/run_tests.py --build $(BUILD) --group test --long $(TESTFLAGS)

bench: build ## Heddle beside XLA:CPU and torch: build/bench/report.html and results.json
	@tools/setup.sh bench
	@$(PYTHON) bench/bench.py --build $(BUILD) $(BENCHFLAGS)

bench-sweep: build ## many functions beside XLA:CPU and torch: build/bench/sweep.html and sweep.json
	@tools/setup.sh bench
	@$(PYTHON) bench/sweep.py --build $(BUILD) $(BENCHFLAGS)

bench-device: build ## build/device: all that measuring on a machine with a GPU needs (64 MiB at most); there: python3 build/device/bench/device.py run --out DIR
	@tools/setup.sh bench
	@$(PYTHON) bench/device.py prepare --build $(BUILD) $(BENCHFLAGS)

python: build ## the Python environment build/venv: JAX, with Heddle's own modules importable
	@tools/setup.sh python
	@echo "source $(BUILD)/venv/bin/activate"

debug asan tsan fuzz: ## build/debug, build/asan, build/tsan, build/fuzz: the presets of CMakePresets.json
	@tools/setup.sh $(if $(filter fuzz,$@),fuzz,build)
	@tools/configure.sh $@ $(BUILD)/$@
	@cmake --build $(BUILD)/$@ -j $(JOBS) $(if $(filter fuzz,$@),--target all fuzzers)

campaigns: asan ## each generator of random programs under the sanitizers for SECONDS (3600), from seed SEED (1000000)
	@tools/setup.sh test
	@HEDDLE_BUILD=$(abspath $(BUILD)) $(PYTHON) test/fuzz/campaign.py --sanitized --seconds $(or $(SECONDS),3600) --seed $(or $(SEED),1000000)

docs: build ## write docs/ops.md and docs/passes.md from the rows, docs/coverage.md from the op sweep
	@cmake --build $(BUILD) --target ops_doc passes_doc -j $(JOBS)
	@$(BUILD)/bin/ops_doc > docs/ops.md
	@$(BUILD)/bin/passes_doc > docs/passes.md
	@tools/setup.sh python
	@HEDDLE_BUILD=$(abspath $(BUILD)) $(PYTHON) test/e2e/op_sweep.py --table docs/coverage.md

format: ## rewrite the C sources with clang-format (.def tables are aligned by hand and left alone)
	@tools/setup.sh format
	@git ls-files '*.c' '*.h' | xargs clang-format-22 -i

format-check: ## list the C sources that clang-format would change
	@tools/setup.sh format
	@git ls-files '*.c' '*.h' | xargs clang-format-22 --dry-run -Werror

clean: ## remove everything that was built (the venv included)
	rm -rf $(BUILD)
