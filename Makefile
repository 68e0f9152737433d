# Kinfolk: the commands for people. `make help` lists them.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifndef SIDE_BY_SIDE
.NOTPARALLEL: # only `make test` runs steps side by side
endif
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PEOPLE ?= examples/people.csv
CONTACTS ?= examples/contacts.vcf
CONTAINER ?= com.example.notes
ME ?=

VERSION := $(shell sed -n 's/^\#define KINFOLK_VERSION "\(.*\)"/\1/p' Include/kinfolk.h)
SONAME := libkinfolk.so.0
STAGE := $(CURDIR)/.build/stage
VENV := $(CURDIR)/.build/venv
WHEEL := $(CURDIR)/.build/wheel
WHEEL_TOOLS := $(CURDIR)/.build/wheel-tools
SERVICE_VENV := $(CURDIR)/.build/service-venv
PYTHONS ?= python3

# The tests build everything once, in .build, with warnings as errors. Each import must be declared in Package.swift.
# Without debug information, which takes an eighth of the time of a build: `swift build` and `make asan` have it.
STRICT := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error -debug-info-format none

# The release is built separately, in .build/shipping. (All builds go below .build: the target CKinfolk has its root at the
# package, and SwiftPM stops with "unknown build description" if a folder next to .build changes during a build.)
# These flags are here, and not in Package.swift, because SwiftPM refuses a dependency that has unsafeFlags.
# -static-stdlib: programs that use the library need no Swift installation.
# KINFOLK_BLOCKING leaves out the async forms, which C and the command line cannot call: they need Swift's task runtime and
# libdispatch, 0.9 MB together.
# --icf=all, by lld: merges equal code that generics generate several times. Nothing here compares the addresses of functions. With
# gold's --icf=safe the library is 0.1 MB larger.
# -function-sections: lets the linker drop single unused functions, not only whole modules: 0.15 MB.
# pack-relative-relocs (RELR): 0.45 MB less. The C library must support them (glibc 2.36 or later), also on a machine on which the
# wheel is installed; the tag of the wheel says so.
# -z now: functions of other libraries are found when the library is loaded, not at their first call. A first call saves the processor's
# registers on the stack, and with them parts of a key that was just used; they would stay there.
# -enforce-exclusivity: Swift's check of overlapping accesses would end the host's process, so releases omit it; the tests run
# with it.
RELR := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '$$2 >= 2.36 { print "-Xlinker -z -Xlinker pack-relative-relocs" }')
RELEASE_FLAGS := -c release -debug-info-format none -Xswiftc -static-stdlib -Xswiftc -DKINFOLK_BLOCKING \
	-Xswiftc -enforce-exclusivity=unchecked -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld \
	-Xlinker -z -Xlinker now $(RELR) -Xlinker --gc-sections -Xlinker --icf=all \
	-Xlinker --version-script=$(CURDIR)/packaging/libkinfolk.map -Xlinker -soname=$(SONAME)
RELEASE := --scratch-path .build/shipping $(RELEASE_FLAGS)

quiet = packaging/quiet "$(1)"
step = packaging/step $@

# ---- Use

.PHONY: help run run-debian install uninstall setup release
help: ## List these commands
	@echo 'Kinfolk $(VERSION). Commands:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'
	@echo 'make run takes PEOPLE=people.csv, CONTACTS=contacts.vcf and ME=an address among the people.'

run: stage ## Find friends: imports PEOPLE, signs one in, searches CONTACTS
	@packaging/run "$(STAGE)/bin/kinfolk" "$(PEOPLE)" "$(CONTACTS)" "$(ME)"

run-debian: stage ## The same with the maintainers of Debian's packages
	@packaging/debian-people .build/run
	@packaging/run "$(STAGE)/bin/kinfolk" .build/run/debian-people.csv .build/run/debian-contacts.vcf "$(ME)"

# Root often has no Swift in its PATH: after `make release`, `sudo make install` installs that build.
BUILT := $(if $(wildcard .build/shipping/release/kinfolk-cli),$(if $(shell command -v swift),,yes))
install: $(if $(BUILT),,release) ## Install libraries, command, manuals, and kinfolkd if built (PREFIX=/usr/local, DESTDIR=)
	@packaging/install-files install "$(DESTDIR)" "$(PREFIX)" "$(VERSION)" "$(SONAME)"
	@echo 'Installed in $(DESTDIR)$(PREFIX).'

uninstall: ## Remove the installed files (with the same PREFIX and DESTDIR)
	@packaging/install-files uninstall "$(DESTDIR)" "$(PREFIX)" "$(VERSION)" "$(SONAME)"

.PHONY: wheel
wheel: stage $(WHEEL_TOOLS)/ready ## Make a Python wheel that contains all libraries it needs
	@packaging/wheel "$(STAGE)" "$(WHEEL_TOOLS)" "$(WHEEL)"

setup: ## Install missing build dependencies
	@packaging/setup

release: setup ## Build the library and the command for release
ifeq ($(SIDE_BY_SIDE),all)
	@$(call quiet,release) swift build $(RELEASE)
	@packaging/static-library .build/shipping/release
else
	@$(call quiet,release library) swift build $(RELEASE) --product kinfolk
	@packaging/static-library .build/shipping/release
	@$(call quiet,release command) swift build $(RELEASE) --product kinfolk-cli
endif

# ---- The network service, a package of its own in kinfolkd/. With KINFOLK and KINFOLKD, the paths of the two programs, the tests build
# nothing.

.PHONY: service service-probe serve deb
SERVICE_BUILD := packaging/build-beside .build/shipping kinfolkd $(RELEASE_FLAGS)
PROGRAMS := $(if $(and $(KINFOLK),$(KINFOLKD)),,release service)
service: setup $(if $(SIDE_BY_SIDE),release) ## Build kinfolkd, the network service
	@$(call quiet,release service) $(SERVICE_BUILD) --product kinfolkd

service-probe: service
	@$(call quiet,service probe) $(SERVICE_BUILD) --product kinfolkd-probe

PORT ?= 8080
serve: release service ## Serve a demo on 127.0.0.1 (PORT=8080)
	@packaging/serve .build/shipping/release/kinfolk-cli .build/shipping/release/kinfolkd .build/serve "$(PORT)"

DEB := $(CURDIR)/.build/deb
deb: $(PROGRAMS) ## Make Debian packages of the command and the service, in .build/deb
	@packaging/deb "$(VERSION)" "$(DEB)"

.PHONY: service-test service-pages service-attack-short service-torture service-torture-short service-fuzz deb-check deb-test chromium service-programs
PYTEST := $(SERVICE_VENV)/bin/python -m pytest -q -p no:cacheprovider
SERVICE_TESTS := http protocol openapi operation attack demo
service-test: $(PROGRAMS) $(if $(PROGRAMS),service-probe) $(SERVICE_VENV)/ready postgresql-server service-programs ## Test kinfolkd over sockets
	@$(step) $(POSTGRESQL) $(PYTEST) $(SERVICE_TESTS:%=kinfolkd/Tests/%)

service-pages: $(PROGRAMS) chromium $(SERVICE_VENV)/ready ## Test the pages of kinfolkd, and the example page, in Chromium
	@$(step) packaging/in-memory $(PYTEST) kinfolkd/Tests/browser

service-attack-short: $(PROGRAMS) $(SERVICE_VENV)/ready
	@$(step) $(SERVICE_VENV)/bin/python kinfolkd/Tests/attack/run --short $(SERVICE_EXPERIMENTS)

service-torture: $(PROGRAMS) $(SERVICE_VENV)/ready postgresql-server
	@$(SERVICE_VENV)/bin/python kinfolkd/Tests/torture/run $(SERVICE_EXPERIMENTS)

service-torture-short: $(PROGRAMS) $(SERVICE_VENV)/ready postgresql-server
	@$(step) $(SERVICE_VENV)/bin/python kinfolkd/Tests/torture/run --short $(SERVICE_EXPERIMENTS)

# SEED: repeats a run that has printed it.
MINUTES ?= 10
SEED ?=
service-fuzz: $(PROGRAMS) $(SERVICE_VENV)/ready ## Send kinfolkd requests made from docs/openapi.yaml (MINUTES=10)
	@KINFOLK=$(or $(KINFOLK),$(CURDIR)/.build/shipping/release/kinfolk-cli) KINFOLKD=$(or $(KINFOLKD),$(CURDIR)/.build/shipping/release/kinfolkd) \
		PYTHON=$(SERVICE_VENV)/bin/python packaging/in-memory kinfolkd/Tests/openapi/fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

deb-check: $(PROGRAMS)
	@$(step) packaging/deb-check "$(VERSION)" "$(CURDIR)/.build/deb-check"

deb-test: $(PROGRAMS) ## Install, upgrade and remove the packages in a Debian 12 that systemd has booted
	@$(step) packaging/deb-test "$(VERSION)" "$(CURDIR)/.build/deb-test"

# Not in a step, because installing may ask for a password.
chromium:
	@packaging/chromium

service-programs:
	@packaging/debian-packages curl=curl openssl=openssl dpkg-deb=dpkg dpkg-shlibdeps=dpkg-dev

# The release, installed inside the tree, for the examples, the C tests and the Python tests.
.PHONY: stage
stage: release
	@packaging/install-files install '' "$(STAGE)" "$(VERSION)" "$(SONAME)"

# ---- Test

# Both run their steps side by side, JOBS at a time, because many steps mostly wait. make shows the output of a step when the step ends.
# The longest steps come first.
.PHONY: test test-steps test-fast test-fast-steps
JOBS ?= 5
SIDE_BY_SIDE_FLAGS := --jobs=$(JOBS) --output-sync=target
test: setup postgresql-server service-programs ## Test everything
	@$(step) $(MAKE) SIDE_BY_SIDE=all $(SIDE_BY_SIDE_FLAGS) test-steps
	@echo 'Everything passed.'

test-fast: setup ## Test the libraries of Swift and Python, without a release build
	@$(step) $(MAKE) SIDE_BY_SIDE=fast $(SIDE_BY_SIDE_FLAGS) test-fast-steps

STEPS := postgresql-swift swift-test-stores service-test c-test torture-short service-torture-short swift-test-others postgresql-c \
	attack-short service-attack-short examples wheel-test postgresql-python package-test install-test fuzz-corpora docs \
	deb-check check python-lint
test-steps: $(STEPS)

# Both builds first, side by side: they use both cores fully, and the other steps mostly wait.
ifeq ($(SIDE_BY_SIDE),all)
stage: swift-build-tests
postgresql-swift swift-test-stores swift-test-others docs attack-short: stage
install-test: service
examples: docs # both use the build folder of the tests
endif

test-fast-steps: swift-test-stores swift-test-others python-debug-test

# ---- Tests of Swift

.PHONY: swift-build-tests swift-test swift-test-stores swift-test-others
# The tests of which `make torture` runs the long form (Search.isLong).
SEARCHES := 'ExtremeValueTests|ContactStreamingTests|RecordModelTests|QueryEqualityTests'
STORES := '^Kinfolk(Storage)?Tests\.'
# `make test` runs these on files only. Their statements reach a server in the tests of the network service, C and Python. `make
# postgresql-test` runs them there, too.
CALLERS := Access Accounts Audit Containers Discovery PersonalData PrivateDiscovery Statistics WebServices
SUITES = $(shell cd Tests/KinfolkTests && grep -rhoE '(struct|class) [A-Za-z]+Tests' $(CALLERS) | sed 's/.* //' | paste -s -d '|' -)
swift-build-tests: setup
	@$(call quiet,Swift tests) swift build --build-tests $(STRICT)

swift-test: swift-test-stores swift-test-others ## Test the Swift library

# Swift's pool has one thread for each core. Tests that block hold all of them, so async tests have a process of their own: otherwise their
# limits of a minute would measure the queue.
ASYNC = "KinfolkTests\.($(shell grep -rlE 'func .* async ' Tests/KinfolkTests | xargs grep -ohE 'struct [A-Za-z]+Tests' | sed 's/.* //' | paste -s -d '|' -))/"
swift-test-stores: swift-build-tests
	@$(step) packaging/in-memory packaging/swift-test .build/debug --filter $(ASYNC)
	@$(step) packaging/in-memory packaging/swift-test .build/debug --filter $(STORES) --skip $(ASYNC)

# OPRFMemoryTests search the memory of their process, and sometimes fail if other tests run in it at the same time.
MEMORY := 'OPRFMemoryTests'
# `make test` tests the command that it has built for release.
swift-test-others: swift-build-tests
	@$(step) packaging/in-memory packaging/swift-test .build/debug --filter $(MEMORY)
	@$(if $(filter all,$(SIDE_BY_SIDE)),KINFOLK=$(CURDIR)/.build/shipping/release/kinfolk-cli) \
		$(step) packaging/in-memory packaging/swift-test .build/debug --skip $(STORES) --skip $(MEMORY)

.PHONY: vectors
vectors: setup ## Rewrite the test vectors of canonical addresses
	@KINFOLK_WRITE_VECTORS=1 packaging/quiet 'test vectors' swift test --filter theFileMatchesTheLibrary

# ---- The tests of Swift, C and Python with their stores on a server. Each test makes its own database objects.

.PHONY: postgresql-test postgresql-swift postgresql-c postgresql-python postgresql-server
POSTGRESQL := packaging/in-memory packaging/postgresql
postgresql-test: postgresql-swift postgresql-c postgresql-python ## Test with the stores on a PostgreSQL server

postgresql-swift: swift-build-tests postgresql-server
	@$(step) $(POSTGRESQL) packaging/swift-test .build/debug --filter $(ASYNC)
	@$(step) $(POSTGRESQL) packaging/swift-test .build/debug --filter $(STORES) --skip $(ASYNC) $(if $(SIDE_BY_SIDE),--skip "KinfolkTests\.($(SUITES))/")

postgresql-c: stage postgresql-server
	@$(step) $(POSTGRESQL) Tests/C/run "$(STAGE)"

postgresql-python: wheel postgresql-server
	@$(step) $(POSTGRESQL) packaging/wheel-test "$(WHEEL)" "$(WHEEL_TOOLS)" $(PYTHONS)

# Not in a step, because installing may ask for a password.
postgresql-server:
	@. packaging/postgresql-cluster && need_server

# ---- Tests of C and Python

.PHONY: c-test python-test python-debug-test python-lint wheel-test examples check install-test package-test lint docs asan tsan
c-test: stage ## Test the C API, using only the header
	@$(step) packaging/in-memory Tests/C/run "$(STAGE)"

# `make test` runs these tests in the wheel, the stricter environment.
python-test: stage python-lint ## Test the Python package
	@$(step) packaging/in-memory packaging/python-test "$(STAGE)/lib/libkinfolk.so" "$(VENV)"

python-debug-test: swift-build-tests $(VENV)/ready
	@$(step) packaging/in-memory packaging/python-test "$(CURDIR)/.build/debug/libkinfolk.so" "$(VENV)"

python-lint: $(VENV)/ready
	@$(step) packaging/python-lint "$(VENV)"

wheel-test: wheel ## Test the wheel (PYTHONS='python3.9 python3.13' selects the versions)
	@$(step) packaging/in-memory packaging/wheel-test "$(WHEEL)" "$(WHEEL_TOOLS)" $(PYTHONS)

examples: stage $(VENV)/ready ## Build and run the examples, compare the pages with them
	@$(step) packaging/examples "$(STAGE)" "$(VENV)" $(STRICT)

check: stage lint ## Check symbols, linking, header, ABI, formatting, tree
	@$(step) packaging/check "$(STAGE)" .build/shipping/release/libkinfolk.so "$(SONAME)"
	@packaging/step abi packaging/abi check
	@packaging/step api packaging/api "$(VERSION)"

.PHONY: abi-update
abi-update: setup ## Update the stored ABI, after a deliberate change
	@packaging/abi update

install-test: stage ## Test make install and make uninstall
	@$(step) packaging/install-test "$(VERSION)" "$(SONAME)"

package-test: setup ## Test that another Swift package can depend on this one
	@$(step) packaging/package-test "$(VERSION)"

lint: setup
	@$(step) swift format lint --strict --parallel --recursive Sources Tests Benchmarks/Sources Benchmarks/Package.swift Package.swift \
		kinfolkd/Sources kinfolkd/Tests kinfolkd/Package.swift
	@echo 'Formatting: fine.'

docs: $(if $(SIDE_BY_SIDE),swift-build-tests,setup) ## Build the Swift documentation, in .build/docs
	@$(step) packaging/docs $(STRICT)

asan: setup ## Test with AddressSanitizer and UBSan, Swift and C
	@packaging/sanitize address

tsan: setup ## Test with ThreadSanitizer, Swift and C
	@packaging/sanitize thread

# The attacks run against the released builds of the library, and of the network service, over sockets.
.PHONY: attack attack-short attack-build
attack: $(if $(SERVICE_EXPERIMENTS),,attack-build) $(if $(EXPERIMENTS),,$(PROGRAMS) $(SERVICE_VENV)/ready) ## Try to break each promise (EXPERIMENTS=, SERVICE_EXPERIMENTS=)
	@status=0; \
	$(if $(SERVICE_EXPERIMENTS),:,.build/shipping/release/kinfolk-attack $(EXPERIMENTS)) || status=1; \
	$(if $(EXPERIMENTS),:,$(SERVICE_VENV)/bin/python kinfolkd/Tests/attack/run $(SERVICE_EXPERIMENTS)) || status=1; \
	exit $$status

attack-short: attack-build
	@$(step) .build/shipping/release/kinfolk-attack --short $(EXPERIMENTS)

ifeq ($(SIDE_BY_SIDE),all)
attack-build: release
else
attack-build: setup
	@$(call quiet,attacks) swift build $(RELEASE) --product kinfolk-attack
endif

.PHONY: fuzz fuzz-corpora
SECONDS ?= 60
fuzz: setup ## Fuzz every target of Fuzz (SECONDS=60 each)
	@Fuzz/run fuzz "$(SECONDS)"

fuzz-corpora: stage
	@$(step) Fuzz/run corpora "$(STAGE)"

# Faults and load, through the C API of the released build.
.PHONY: torture torture-short
torture: stage swift-build-tests postgresql-server service-torture ## Cut power, kill, fill disks, damage stores, set clocks, load, lose servers
	@Tests/Torture/run "$(STAGE)"
	@KINFOLK_TEST_LONG=1 packaging/in-memory Tests/C/run "$(STAGE)" generated closing
	@KINFOLK_TEST_LONG=1 packaging/in-memory packaging/swift-test .build/debug --filter $(SEARCHES)
	@KINFOLK_TEST_LONG=1 $(POSTGRESQL) packaging/swift-test .build/debug --filter RecordModelTests

torture-short: stage
	@$(step) Tests/Torture/run "$(STAGE)" --short

# ROWS: words from the names in Benchmarks/Sources/kinfolk-bench/Benchmark.swift. JSON, MARKDOWN: files for the results.
.PHONY: bench bench-quick bench-peers
ROWS ?=
JSON ?=
MARKDOWN ?=
BENCH = packaging/bench "$(STAGE)" "$(1)" $(if $(ROWS),--rows "$(ROWS)") $(if $(JSON),--json "$(abspath $(JSON))") \
	$(if $(MARKDOWN),--markdown "$(abspath $(MARKDOWN))")
# Only the rows of the service need kinfolkd: the quick run leaves them out unless they are named.
KINFOLKD_RELEASE := .build/shipping/release/kinfolkd
BENCH_SERVICE = $(if $(findstring service,$(ROWS)),$(KINFOLKD_RELEASE))
bench: stage $(if $(or $(BENCH_SERVICE),$(if $(ROWS),,all)),service) ## Run the benchmarks, compared with their floors, up to 10,000,000 people
	@$(call BENCH,$(if $(ROWS),$(BENCH_SERVICE),$(KINFOLKD_RELEASE)))

bench-quick: stage $(if $(BENCH_SERVICE),service) ## The same in under a minute, up to 1,000,000 people
	@$(call BENCH,$(BENCH_SERVICE)) --quick

bench-peers: stage ## Measure alternative packages on the same input
	@packaging/bench-peers "$(STAGE)" .build/peers

# The linker writes its map only when it links, so the release is linked once more.
.PHONY: sizes
sizes: setup ## Print the files, lines and bytes of each target
	@$(call quiet,release library) swift build $(RELEASE) --product kinfolk -Xlinker -Map=$(CURDIR)/.build/shipping/sizes.map
	@packaging/sizes .build/shipping/sizes.map

$(VENV)/ready: packaging/python-requirements.txt examples/web/requirements.txt
$(WHEEL_TOOLS)/ready: packaging/wheel-requirements.txt
$(SERVICE_VENV)/ready: packaging/service-requirements.txt
$(VENV)/ready $(WHEEL_TOOLS)/ready $(SERVICE_VENV)/ready:
	@packaging/setup
	@python3 -m venv "$(@D)"
	@$(call quiet,Python tools) "$(@D)/bin/pip" install -q --disable-pip-version-check $(^:%=-r %)
	@touch $@

# ---- Tidy

.PHONY: format clean
format: setup ## Format the Swift sources
	@swift format --in-place --parallel --recursive Sources Tests Benchmarks/Sources Benchmarks/Package.swift Package.swift \
		kinfolkd/Sources kinfolkd/Tests kinfolkd/Package.swift

clean: ## Remove all build products
	@rm -rf .build
