# build.mk: what the commands of the Makefile and the steps of ci.mk build. Each target builds what has changed since it was built last.

VERSION := $(shell sed -n 's/^\#define KINFOLK_VERSION "\(.*\)"/\1/p' Include/kinfolk.h)
SONAME := libkinfolk.so.0
STAGE := $(CURDIR)/.build/stage
DEBUG_STAGE := $(CURDIR)/.build/debug-stage
DEBUG := $(CURDIR)/.build/debug
SHIPPING := $(CURDIR)/.build/shipping/release
VENV := $(CURDIR)/.build/venv
quiet = packaging/quiet "$(1)"

# ---- Set-up: not in a step, because installing may ask for a password

.PHONY: setup setup-tests setup-pages setup-packages
setup: ## Install missing build dependencies
	@packaging/setup
setup-tests:
	@packaging/setup tests
setup-pages:
	@packaging/setup pages
setup-packages:
	@packaging/setup packages

# All Python tools are in one environment. Those in which the wheel of Kinfolk is tested get the same versions.
REQUIREMENTS := packaging/requirements.txt examples/web/requirements.txt
$(VENV)/ready: $(REQUIREMENTS)
	@packaging/setup
	@rm -rf "$(@D)" && python3 -m venv "$(@D)"
	@$(call quiet,Python tools) "$(@D)/bin/pip" install -q --disable-pip-version-check $(REQUIREMENTS:%=-r %)
	@"$(@D)/bin/pip" freeze -q --disable-pip-version-check >"$@"

# ---- The debug build, in .build, for the tests: with warnings as errors, and each import declared in Package.swift. Without debug information,
# which takes an eighth of the time of a build: `swift build` and `make asan` have it. All builds with these flags share what they have built.

.PHONY: debug debug-service
STRICT := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error -debug-info-format none
debug: setup
	@$(call quiet,debug) swift build --build-tests $(STRICT)
	@packaging/debug-stage "$(DEBUG)" "$(DEBUG_STAGE)"

debug-service: debug
	@$(call quiet,debug-service) packaging/build-beside .build kinfolkd $(STRICT)

# ---- The release, in .build/shipping

# (All builds go below .build: the target CKinfolk has its root at the
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


.PHONY: release service stage
release: setup ## Build the library and the command for release
	@$(call quiet,release library) swift build $(RELEASE) --product kinfolk
	@packaging/static-library "$(SHIPPING)"
	@$(call quiet,release) swift build $(RELEASE) --product kinfolk-cli

# With KINFOLK and KINFOLKD, the paths of the two programs, nothing is built.
PROGRAMS := $(if $(and $(KINFOLK),$(KINFOLKD)),,release service)
service: release ## Build kinfolkd, the network service
	@$(call quiet,service) packaging/build-beside .build/shipping kinfolkd $(RELEASE_FLAGS)

# The release, installed inside the tree, for the examples, the C tests and the Python tests.
stage: release
	@packaging/install-files install '' "$(STAGE)" "$(VERSION)" "$(SONAME)"

.PHONY: wheel deb
WHEEL := $(CURDIR)/.build/wheel
wheel: stage $(VENV)/ready ## Make a Python wheel that contains all libraries it needs
	@packaging/wheel "$(STAGE)" "$(VENV)" "$(WHEEL)"

DEB := $(CURDIR)/.build/deb
deb: $(PROGRAMS) setup-packages ## Make Debian packages, in .build/deb
	@packaging/deb "$(VERSION)" "$(DEB)"
