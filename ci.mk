# ci.mk: the steps of `make test`, `make test-all` and `make long`. CONTRIBUTING.md says what runs where, and why. The name of each step is a
# command that runs it alone, with what it needs. Steps run side by side, JOBS at a time, because many mostly wait. The longest come first.

GATE := service-test swift-test command-test c-test postgresql-smoke python-test swift-async-test readme python-lint lint memory-test warm-build-test
RELEASE_STEPS := postgresql-swift c-release-test torture-short command-release-test attack-short wheel-test service-release-test \
	postgresql-service service-attack-short service-torture-short service-pages postgresql-c examples postgresql-python install-test fuzz-corpora \
	docs package-test deb-check check
# What `make test-all` does first. The builds of the release use one core most of the time, and only the Swift tests need none of them.
BUILDS := debug attack-build wheel
MADE := debug release service stage wheel attack-build docs # which are not looked at again
BESIDE_BUILDS := python-lint lint warm-build-test package-test memory-test swift-async-test docs postgresql-swift swift-test
# `make test-all` runs these suites only on the release, as other steps, which run the same tests and more: docs/decisions/0060.
ON_THE_RELEASE := command-test service-test c-test postgresql-smoke python-test readme
LONG := torture service-torture long-searches library-attack service-attack service-fuzz fuzz asan tsan deb-test

step = packaging/step $@
IN_MEMORY := packaging/in-memory
POSTGRESQL := packaging/in-memory packaging/postgresql

# ---- The gate, on the debug build

.PHONY: $(GATE)
SWIFT_TEST := packaging/swift-test "$(DEBUG)"
# Swift's pool has one thread for each core. Tests that block hold all of them, so async tests and those with a time limit have a process of
# their own: otherwise their limits would measure the queue.
ASYNC = '\.($(shell grep -rlE 'func .* async |timeLimit' Tests/*Tests | xargs grep -ohE 'struct [A-Za-z]+Tests' | sed 's/.* //' | paste -s -d '|' -))/'
# OPRFMemoryTests search the memory of their process, and sometimes fail if other tests run in it at the same time.
MEMORY := 'OPRFMemoryTests'

# Tests of the command mostly wait for its processes.
COMMAND := '^KinfolkCLITests\.'

swift-test: debug
	@$(step) $(IN_MEMORY) $(SWIFT_TEST) --skip $(MEMORY) --skip $(ASYNC) --skip $(COMMAND)
command-test: debug
	@$(step) $(IN_MEMORY) $(SWIFT_TEST) --filter $(COMMAND)
swift-async-test: debug
	@$(step) $(IN_MEMORY) $(SWIFT_TEST) --filter $(ASYNC)
memory-test: debug
	@$(step) $(IN_MEMORY) $(SWIFT_TEST) --filter $(MEMORY)

# These suites use each kind of statement once. `make postgresql-test` runs all tests of stores on a server.
SMOKE := '^Kinfolk(Storage|Accounts|Records|Queries|Subscriptions|Store)Tests\.(LookUpTests|TablesTests|SubscriptionTests|KeyValueTests|QueryTests|DatabaseTests|BlockTests|StoreCopyTests)/'
postgresql-smoke: debug setup-tests
	@$(step) $(POSTGRESQL) $(SWIFT_TEST) --filter $(SMOKE)

# A quarter of the generated calls, another one after each commit. A debug build needs more stack than the header promises for the release.
c-test: debug
	@$(step) env STACK_KIB=1024 GENERATED_PART=$(or $(shell git rev-list --count HEAD 2>/dev/null),0) $(IN_MEMORY) Tests/C/run "$(DEBUG_STAGE)"

python-test: debug $(VENV)/ready
	@$(step) $(IN_MEMORY) packaging/python-test "$(DEBUG)/libkinfolk.so" "$(VENV)"

PYTEST := $(VENV)/bin/python -m pytest -q -p no:cacheprovider
SERVICE_TESTS := http protocol openapi operation attack demo
service-test: debug-service $(VENV)/ready setup-tests
	@$(step) env KINFOLK="$(DEBUG)/kinfolk-cli" KINFOLKD="$(DEBUG)/kinfolkd" KINFOLKD_PROBE="$(DEBUG)/kinfolkd-probe" \
		$(IN_MEMORY) $(PYTEST) $(SERVICE_TESTS:%=kinfolkd/Tests/%)

# It uses the build folder of the tests.
readme: debug-service $(VENV)/ready
	@$(step) packaging/examples "$(DEBUG_STAGE)" "$(VENV)" readme $(STRICT)

lint: setup
	@$(step) swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
python-lint: $(VENV)/ready
	@$(step) packaging/python-lint "$(VENV)"
warm-build-test: setup
	@$(step) packaging/warm-build-test

# ---- The release

.PHONY: $(RELEASE_STEPS)
c-release-test: stage
	@$(step) $(IN_MEMORY) Tests/C/run "$(STAGE)"
command-release-test: release debug
	@KINFOLK="$(SHIPPING)/kinfolk-cli" $(step) $(IN_MEMORY) $(SWIFT_TEST) --filter $(COMMAND)
wheel-test: wheel
	@$(step) $(IN_MEMORY) packaging/wheel-test "$(WHEEL)" "$(VENV)" $(PYTHONS)

service-release-test: $(PROGRAMS) $(VENV)/ready setup-tests
	@$(step) $(IN_MEMORY) $(PYTEST) $(SERVICE_TESTS:%=kinfolkd/Tests/%)
postgresql-service: $(PROGRAMS) $(VENV)/ready setup-tests
	@$(step) $(POSTGRESQL) $(PYTEST) $(SERVICE_TESTS:%=kinfolkd/Tests/%)
service-pages: $(PROGRAMS) $(VENV)/ready setup-pages
	@$(step) $(IN_MEMORY) $(PYTEST) kinfolkd/Tests/browser

examples: stage docs # both use the build folder of the tests
	@$(step) packaging/examples "$(STAGE)" "$(VENV)" all $(STRICT)
docs: debug # the same
	@$(step) packaging/docs $(STRICT)

check: stage
	@$(step) sh -ec 'packaging/abi check; packaging/api "$(VERSION)"; packaging/check "$(STAGE)" "$(SHIPPING)/libkinfolk.so" "$(SONAME)"'
install-test: stage service
	@$(step) packaging/install-test "$(VERSION)" "$(SONAME)"
package-test: setup
	@$(step) packaging/package-test "$(VERSION)"
deb-check: $(PROGRAMS) setup-packages
	@$(step) packaging/deb-check "$(VERSION)" "$(CURDIR)/.build/deb-check"

# The tests of contacts have no store. Those of the web services, which make the same calls as the others, run on a server in `make long`.
postgresql-swift: debug setup-tests
	@$(step) sh -ec '$(POSTGRESQL) $(SWIFT_TEST) --filter "$$0" --skip "$$1"; $(POSTGRESQL) $(SWIFT_TEST) --filter "$$1"' \
		'^Kinfolk(Storage|Accounts|Records|Queries|Subscriptions|Store)Tests\.' $(ASYNC)
postgresql-c: stage setup-tests
	@$(step) $(POSTGRESQL) Tests/C/run "$(STAGE)"
postgresql-python: wheel setup-tests
	@$(step) $(POSTGRESQL) packaging/wheel-test "$(WHEEL)" "$(VENV)" $(PYTHONS)

.PHONY: postgresql-test
postgresql-test: postgresql-swift postgresql-c postgresql-python postgresql-service

attack-build: service # both use the build folder of the release
	@$(call quiet,attack-build) swift build $(RELEASE) --product kinfolk-attack
attack-short: attack-build
	@$(step) "$(SHIPPING)/kinfolk-attack" --short $(EXPERIMENTS)
service-attack-short: $(PROGRAMS) $(VENV)/ready
	@$(step) $(VENV)/bin/python kinfolkd/Tests/attack/run --short $(SERVICE_EXPERIMENTS)
torture-short: stage setup-tests
	@$(step) Tests/Torture/run "$(STAGE)" --short
service-torture-short: $(PROGRAMS) $(VENV)/ready setup-tests
	@$(step) $(VENV)/bin/python kinfolkd/Tests/torture/run --short $(SERVICE_EXPERIMENTS)
fuzz-corpora: stage
	@$(step) Fuzz/run corpora "$(STAGE)"

# ---- The long forms

.PHONY: $(LONG) attack attack-build
# Against the released builds of the library, and of the network service, over sockets. EXPERIMENTS and SERVICE_EXPERIMENTS choose some.
attack: $(if $(SERVICE_EXPERIMENTS),,library-attack) $(if $(EXPERIMENTS),,service-attack)
library-attack: attack-build
	@$(step) "$(SHIPPING)/kinfolk-attack" $(EXPERIMENTS)
service-attack: $(PROGRAMS) $(VENV)/ready
	@$(step) $(VENV)/bin/python kinfolkd/Tests/attack/run $(SERVICE_EXPERIMENTS)

# Faults and load, through the C API of the release.
torture: stage setup-tests
	@$(step) Tests/Torture/run "$(STAGE)"
service-torture: $(PROGRAMS) $(VENV)/ready setup-tests
	@$(step) $(VENV)/bin/python kinfolkd/Tests/torture/run $(SERVICE_EXPERIMENTS)

# The tests that search for inputs with a wrong answer (Search.isLong).
long-searches: debug stage setup-tests
	@$(step) env KINFOLK_TEST_LONG=1 sh -ec '$(IN_MEMORY) Tests/C/run "$(STAGE)" generated closing; \
		$(IN_MEMORY) $(SWIFT_TEST) --filter "ExtremeValueTests|ContactStreamingTests|ModelTests|QueryEqualityTests|KeyRotationFaultTests|PredicateRoundTripTests|CodeMailingTests"; \
		$(POSTGRESQL) $(SWIFT_TEST) --filter "RecordModelTests|^KinfolkWebServicesTests"'

SECONDS ?= 60
fuzz: setup
	@$(step) Fuzz/run fuzz "$(SECONDS)"
# SEED: repeats a run that has printed it.
MINUTES ?= 10
SEED ?=
service-fuzz: $(PROGRAMS) $(VENV)/ready
	@KINFOLK=$(or $(KINFOLK),$(SHIPPING)/kinfolk-cli) KINFOLKD=$(or $(KINFOLKD),$(SHIPPING)/kinfolkd) PYTHON=$(VENV)/bin/python \
		$(step) $(IN_MEMORY) kinfolkd/Tests/openapi/fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

asan: setup
	@$(step) packaging/sanitize address
tsan: setup
	@$(step) packaging/sanitize thread
deb-test: $(PROGRAMS)
	@packaging/setup packages booted
	@$(step) packaging/deb-test "$(VERSION)" "$(CURDIR)/.build/deb-test"

# ---- Files of tests and of CI that are written by hand-run commands

.PHONY: vectors abi-update sizes
vectors: debug
	@KINFOLK_WRITE_VECTORS=1 $(SWIFT_TEST) --filter theFileMatchesTheLibrary
abi-update: setup
	@packaging/abi update
# The linker writes its map only when it links, so the release is linked once more.
sizes: setup
	@$(call quiet,release) swift build $(RELEASE) --product kinfolk -Xlinker -Map=$(CURDIR)/.build/shipping/sizes.map
	@packaging/sizes .build/shipping/sizes.map
