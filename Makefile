# SPDX-License-Identifier: GPL-2.0
#
# A short name for each of the scripts, and the order in which they need one
# another. Only "make help" is done here.

BASE ?= v6.12
# The scripts say so where KDIR overrules BASE, and "make test" runs all bases
# unless one was asked for.
export BASE_ORIGIN := $(origin BASE)
export BASE KDIR SAN EXTRA_PERF_FLAGS JOBS

# Each step runs its own compilers in parallel; the steps come in order.
.NOTPARALLEL:

.DEFAULT_GOAL := perf

perf: ## (default) fetch the base, apply the stack, build perf
	@scripts/build.sh perf

perf-base: ## build the same perf without the stack
	@scripts/build.sh perf-base

tools: ## build our own C programs: the perf.data checker, load generators
	@$(MAKE) --no-print-directory -C tools

demo: deps perf-base perf tools ## show before and after on this machine, as a table
	@scripts/with-perf.sh scripts/demo.sh

test: ## run all tests on both bases, or on BASE= alone; sets up all it needs
	@scripts/test.sh

selftests: perf-base perf tools ## run the kselftests alone; PERF=path tests another perf
	@scripts/with-perf.sh $(MAKE) --no-print-directory -C selftests run_tests

fault-matrix: deps ## the table of what each perf keeps when the output fails; as root
	@scripts/fault-matrix.sh

bench: bench-deps perf-base perf tools ## the performance tables and plots; QUICK=1: within five minutes
	@scripts/build.sh perf-naive
	@scripts/with-perf.sh scripts/bench.sh

bench-deps:
	@scripts/deps.sh bench

check: ## what reviewers look at, on both bases or BASE=; CHECKS=NAMES, QUICK=1
	@scripts/check.sh

mail: check-deps ## make a series to be mailed of each topic; TOPIC=, V=2, SOB="Name <address>"
	@scripts/mail.sh

check-deps:
	@scripts/deps.sh check

refresh: ## write changes in build/$BASE/linux back into patches/; FOLD=PATCH, PORT=1
	@scripts/refresh.sh

compare-stacks: ## show what differs between the stacks beyond context
	@scripts/compare-stacks.sh

deps: ## install the Debian packages that all this needs
	@scripts/deps.sh

clean: ## remove what was built, keep what was downloaded
	@scripts/clean.sh

distclean: ## remove build/
	@scripts/clean.sh all

help: ## print this
	@echo 'make [TARGET] [VARIABLE=value]'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
		awk -F'|' '{ printf "  %-14s %s\n", $$1, $$2 }'
	@echo
	@echo '  BASE=v6.12  the kernel release to build perf of (there are: $(patsubst patches/%/series,%,$(wildcard patches/*/series)))'
	@echo '  KDIR=path   build perf of this kernel tree instead; it is copied, not changed'
	@echo '  SAN=1       with the address and undefined behaviour sanitizers; SAN=tsan: threads'
	@echo '  EXTRA_PERF_FLAGS=  more for the makefile of perf, for instance DEBUG=1'
	@echo '  JOBS=n      this many compilers at a time'
	@echo
	@echo 'Results are in build/$$BASE/perf/perf and build/$$BASE/perf-base/perf.'

.PHONY: perf perf-base tools demo test selftests fault-matrix bench bench-deps check mail \
	check-deps refresh compare-stacks deps clean distclean help
