# Kinfolk: the commands for people. `make help` lists them. build.mk has what they build, and ci.mk the steps of the tests.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PEOPLE ?= examples/people.csv
CONTACTS ?= examples/contacts.vcf
ME ?=
PORT ?= 8080
SUITE ?= Records
JOBS ?= 5

include build.mk ci.mk

.PHONY: help run run-debian serve install uninstall quick test test-all long bench bench-quick bench-peers format clean
help: ## List these commands
	@echo 'Kinfolk $(VERSION). Commands:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile build.mk | awk -F'|' '{ printf "%-19s%s\n", $$1, $$2 }'
	@echo 'make run takes PEOPLE=people.csv, CONTACTS=contacts.vcf, ME=address@example.com.'
	@echo 'Steps of the tests, each a command of its own: see ci.mk, and CONTRIBUTING.md.'

run: stage ## Find friends: import PEOPLE, sign one in, search CONTACTS
	@packaging/run "$(STAGE)/bin/kinfolk" "$(PEOPLE)" "$(CONTACTS)" "$(ME)"

run-debian: stage ## The same with the maintainers of Debian's packages
	@packaging/debian-people .build/run
	@packaging/run "$(STAGE)/bin/kinfolk" .build/run/debian-people.csv .build/run/debian-contacts.vcf "$(ME)"

serve: service ## Serve a demo on 127.0.0.1 (PORT=8080)
	@examples/browser/serve "$(SHIPPING)/kinfolk-cli" "$(SHIPPING)/kinfolkd" .build/serve "$(PORT)"

# Root often has no Swift in its PATH: after `make release`, `sudo make install` installs that build.
BUILT := $(if $(wildcard .build/shipping/release/kinfolk-cli),$(if $(shell command -v swift),,yes))
install: $(if $(BUILT),,release) ## Install all of it (PREFIX=/usr/local, DESTDIR=)
	@packaging/install-files install "$(DESTDIR)" "$(PREFIX)" "$(VERSION)" "$(SONAME)"
	@echo 'Installed in $(DESTDIR)$(PREFIX).'

uninstall: ## Remove it (with the same PREFIX and DESTDIR)
	@packaging/install-files uninstall "$(DESTDIR)" "$(PREFIX)" "$(VERSION)" "$(SONAME)"

# SUITE: Contacts, Accounts, Records, Queries, Subscriptions, Store, WebServices, CLI, Crypto, Foundation, Storage, Threads. TESTS chooses tests by
# a part of their name.
quick: setup ## Build and test one domain (SUITE=Records, TESTS=)
	@KINFOLK_SUITE=$(SUITE) $(call quiet,quick) swift build --build-tests $(STRICT)
	@$(IN_MEMORY) $(SWIFT_TEST) --skip $(MEMORY) $(if $(TESTS),--filter '$(TESTS)')

test: setup-tests ## Test everything that a debug build can show
	@packaging/steps $(MAKE) -k --jobs=$(JOBS) --output-sync=target $(GATE)

# First the builds: beside all tests, the service would be built last, and its tests would begin when the others have ended.
test-all: setup-tests setup-pages setup-packages ## Test the release too, on PostgreSQL, with attacks and faults
	@packaging/steps sh -c '$(MAKE) -k --jobs=3 --output-sync=target $(BUILDS) $(BESIDE_BUILDS); \
		$(MAKE) -k --jobs=$(JOBS) --output-sync=target $(MADE:%=-o %) $(filter-out $(ON_THE_RELEASE) $(BESIDE_BUILDS),$(GATE) $(RELEASE_STEPS))'

long: setup-tests ## Long attacks, faults, fuzzing, sanitizers: hours
	@echo 'This takes hours. The steps are $(LONG).'
	@packaging/steps $(MAKE) -k $(LONG)

# ROWS: words from the names in Benchmarks/Sources/kinfolk-bench/Benchmark.swift. JSON, MARKDOWN: files for the results.
BENCH = packaging/bench "$(STAGE)" "$(1)" $(if $(ROWS),--rows "$(ROWS)") $(if $(JSON),--json "$(abspath $(JSON))") \
	$(if $(MARKDOWN),--markdown "$(abspath $(MARKDOWN))")
# Only the rows of the service need kinfolkd: the quick run leaves them out unless they are named.
BENCH_SERVICE = $(if $(findstring service,$(ROWS)),$(SHIPPING)/kinfolkd)
bench: stage $(if $(or $(BENCH_SERVICE),$(if $(ROWS),,all)),service) ## Benchmarks, with their floors, up to 10,000,000 people
	@$(call BENCH,$(if $(ROWS),$(BENCH_SERVICE),$(SHIPPING)/kinfolkd))
bench-quick: stage $(if $(BENCH_SERVICE),service) ## The same in under a minute, up to 1,000,000 people
	@$(call BENCH,$(BENCH_SERVICE)) --quick
bench-peers: stage ## Measure alternative packages on the same input
	@packaging/bench-peers "$(STAGE)" .build/peers

SWIFT_SOURCES := Sources Tests Benchmarks/Sources Benchmarks/Package.swift Package.swift kinfolkd/Sources kinfolkd/Tests kinfolkd/Package.swift
format: setup ## Format the Swift sources
	@swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

clean: ## Remove all build products
	@rm -rf .build
