# LocalAuthentication for Linux.
#
#   make             build what ships: build/pam_localauth.so, build/localauth-helper, build/localauth
#   make demo        the main job, narrated, in a throw-away world
#   make test        everything: unit tests, the module over the real libpam, end to end (e2e needs root)
#   make check       test, and format, lint, both build modes, thread and address sanitizer
#   make e2e         real sudo, su, login, fprintd in the throw-away world
#   make bench       the figures of README, ours and peers interleaved
#   make deps        install the Debian packages that are missing; make and make install need fewer of them
#   make install     DESTDIR= PREFIX=/usr SETUID=0
#   make uninstall   take it out again; refuses while a PAM service still names the module
#   make lint clean help

SWIFTC    ?= swiftc
SWIFT     ?= swift
# SwiftPM leaves folders and locks behind in the folder for temporary files: it gets one of its own.
SWIFT_RUN  = t=$$(mktemp -d /tmp/localauth-swift.XXXXXX) && trap 'rm -rf "$$t"' EXIT && export TMPDIR="$$t" && $(SWIFT)
CC        := gcc
PREFIX    ?= /usr
DESTDIR   ?=
MULTIARCH  = $(shell $(CC) -print-multiarch 2>/dev/null)
TRIPLE    := $(shell uname -m)-unknown-linux-gnu
B         := build

# Folder of the toolchain's Swift libraries: holds Embedded mode's Unicode tables.
RESOURCES  = $(shell $(SWIFTC) -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
TABLES     = $(RESOURCES)/embedded/$(TRIPLE)/libswiftUnicodeDataTables.a

EMBEDDED := -target $(TRIPLE) -O -wmo -parse-as-library -swift-version 6 -enable-experimental-feature Embedded \
  -strict-memory-safety -warnings-as-errors -enable-upcoming-feature ExistentialAny \
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
  -Xfrontend -function-sections -Xcc -fPIC -Xcc -fstack-protector-strong -g -file-prefix-map "$(CURDIR)=."
INCLUDES := -I $(B) -I Sources/CPAM/include -I Sources/CPlatform/include -I Sources/CSystemd/include -I Sources/CInih/include
CFLAGS   := -std=gnu11 -O2 -g -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wall -Wextra -Werror \
  -ffunction-sections -fdata-sections
HARDEN   := -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code,-z,defs -Wl,--gc-sections -Wl,--as-needed \
  -Wl,--build-id

CORE     := AuthenticationCore HelperProtocol SecretBytes SystemInterface
CORE_OBJ := $(CORE:%=$(B)/%.o) $(patsubst Sources/CPlatform/%.c,$(B)/CPlatform-%.o,$(wildcard Sources/CPlatform/*.c)) $(B)/CPAM-cpam.o
HEADERS  := $(wildcard Sources/C*/include/*)

.PHONY: all binaries deps build-deps demo test check lint e2e bench install install-only uninstall clean help
.DELETE_ON_ERROR:

all: build-deps binaries

binaries: $(B)/pam_localauth.so $(B)/localauth-helper $(B)/localauth

deps:
	@tools/deps

# What building alone needs: whoever installs the module gets no sudo or fprintd by that.
build-deps:
	@tools/deps build

help:
	@sed -n '3,/^$$/s/^#  *//p' Makefile

demo: deps all
	Tests/EndToEnd/demo

# SwiftPM's own tests, then the whole in the world.
test: deps all
	$(SWIFT_RUN) test
	$(MAKE) --no-print-directory e2e

e2e: deps all
	$(SWIFT_RUN) build --build-tests
	Tests/EndToEnd/run

bench: deps all
	Tests/Bench/run

# ThreadSanitizer follows clone(2) by itself and cannot follow a child that shares memory, as the executed helper's
# does until exec: those tests run without it. LeakSanitizer reports XCTest's own empty runner, so it is left out.
check: test lint
	$(SWIFT_RUN) test --disable-xctest --skip ExecuteTests --skip RoadsTests --sanitize=thread --scratch-path .build/thread
	$(SWIFT_RUN) test --disable-xctest --sanitize=address --scratch-path .build/address

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift
	tools/lint

clean:
	rm -rf $(B) .build

$(B): ; @mkdir -p $@

# 1: module, 2: the modules it imports
define embedded
$(B)/$(1).o $(B)/$(1).swiftmodule &: $$(shell find Sources/$(1) -name '*.swift') $(2:%=$(B)/%.swiftmodule) $(HEADERS) | $(B)
	$$(SWIFTC) $$(EMBEDDED) $$(INCLUDES) -module-name $(1) -emit-module -emit-module-path $(B)/$(1).swiftmodule \
	  -c $$(filter %.swift,$$^) -o $(B)/$(1).o
endef
$(eval $(call embedded,AuthenticationCore,))
$(eval $(call embedded,HelperProtocol,))
$(eval $(call embedded,SecretBytes,))
$(eval $(call embedded,SystemInterface,HelperProtocol))
$(eval $(call embedded,PAMModule,$(CORE)))
$(eval $(call embedded,Helper,$(CORE)))

$(B)/CPlatform-%.o: Sources/CPlatform/%.c $(HEADERS) | $(B) ; $(CC) $(CFLAGS) -ISources/CPlatform/include -c $< -o $@
$(B)/CPAM-%.o: Sources/CPAM/%.c $(HEADERS) | $(B) ; $(CC) $(CFLAGS) -ISources/CPAM/include -c $< -o $@

$(B)/pam_localauth.so: $(B)/PAMModule.o $(CORE_OBJ) pam/pam_localauth.map tools/verify-module
	$(CC) -shared -o $@ $(filter %.o,$^) -Wl,-z,nodelete -Wl,--version-script=pam/pam_localauth.map $(HARDEN) -lpam
	@tools/verify-module $@

$(B)/localauth-helper: $(B)/Helper.o $(CORE_OBJ)
	$(CC) -pie -o $@ $^ $(TABLES) -Wl,--defsym=main=localauth_helper_main $(HARDEN) -linih -lpam -lsystemd -lm

# The command runs as the person, so it may have the full runtime; linked in, since Debian has no package of it.
$(B)/localauth: $(shell find Sources/localauth Sources/HelperClient -name '*.swift') $(CORE:%=$(B)/%.swiftmodule) Package.swift
	$(SWIFT_RUN) build -c release --static-swift-stdlib --disable-local-rpath --product localauth -Xlinker -z -Xlinker now
	$(SWIFT_RUN) build -c release --show-bin-path > $(B)/bin-path
	strip -o $@ "$$(cat $(B)/bin-path)/localauth"

LIBDIR    = $(PREFIX)/lib/$(MULTIARCH)
SECURITY  = $(LIBDIR)/security
LIBEXEC  := $(PREFIX)/libexec/localauth
SHARE    := $(PREFIX)/share/localauth
UNITS    := $(PREFIX)/lib/systemd/system
MAN      := $(PREFIX)/share/man/man8
MAN5     := $(PREFIX)/share/man/man5
# Where pam-auth-update(8) looks for profiles.
PROFILES := $(PREFIX)/share/pam-configs
# A package is built by nobody in particular; what root installs is root's.
OWNER    := $(if $(filter 0,$(shell id -u)),-o root -g root)
ETC      := /etc

install: all install-only

# Installs what is built already; PREFIX other than /usr is for packaging, since the places are fixed in the code.
install-only:
	install -d "$(DESTDIR)$(SECURITY)" "$(DESTDIR)$(LIBEXEC)" "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(SHARE)/pam.d" \
	  "$(DESTDIR)$(UNITS)" "$(DESTDIR)$(MAN)" "$(DESTDIR)$(MAN5)" "$(DESTDIR)$(PROFILES)" "$(DESTDIR)$(ETC)/pam.d" \
	  "$(DESTDIR)$(ETC)/security"
	# chown(2) would take the setuid bit away again: owner and mode in one go.
	@[ "$(PREFIX)" = /usr ] || echo "install: PREFIX is $(PREFIX), but module and unit execute /usr/libexec/localauth/localauth-helper" >&2
	install $(OWNER) -s -m 644 $(B)/pam_localauth.so "$(DESTDIR)$(SECURITY)/pam_localauth.so"
	install $(OWNER) -s -m $(if $(filter 1,$(SETUID)),4755,755) $(B)/localauth-helper "$(DESTDIR)$(LIBEXEC)/localauth-helper"
	install $(OWNER) -m 755 $(B)/localauth "$(DESTDIR)$(PREFIX)/bin/localauth"
	install -m 644 pam/localauth.socket pam/localauth@.service "$(DESTDIR)$(UNITS)/"
	install -m 644 pam/pam_localauth.8 "$(DESTDIR)$(MAN)/pam_localauth.8"
	install -m 644 pam/localauth.conf.5 "$(DESTDIR)$(MAN5)/localauth.conf.5"
	# Only offered: pam-auth-update(8) enables it when it is told to.
	install $(OWNER) -m 644 pam/localauth.pam-config "$(DESTDIR)$(PROFILES)/localauth"
	# An administrator's own settings and passcode stack stay.
	[ -e "$(DESTDIR)$(ETC)/security/localauth.conf" ] || \
	  install $(OWNER) -m 644 pam/localauth.conf "$(DESTDIR)$(ETC)/security/localauth.conf"
	[ -e "$(DESTDIR)$(ETC)/pam.d/localauth-passcode" ] || \
	  install -m 644 pam/localauth-passcode "$(DESTDIR)$(ETC)/pam.d/localauth-passcode"
	install -m 644 pam/other-denies "$(DESTDIR)$(SHARE)/pam.d/other"
	ln -sfn $(ETC)/pam.d/localauth-passcode "$(DESTDIR)$(SHARE)/pam.d/localauth-passcode"

# A service that names a module which is gone locks everybody out of it.
uninstall:
	@used=$$(grep -ls pam_localauth.so "$(DESTDIR)$(ETC)/pam.d/"* "$(DESTDIR)$(PREFIX)/lib/pam.d/"* 2>/dev/null || true); \
	if [ -n "$$used" ]; then \
	  echo "uninstall: still in use; take pam_localauth.so out of these first:" >&2; echo "$$used" >&2; \
	  case "$$used" in */common-auth*) \
	    echo "uninstall: for common-auth: pam-auth-update --remove localauth" >&2 ;; esac; exit 1; fi
	rm -f "$(DESTDIR)$(SECURITY)/pam_localauth.so" "$(DESTDIR)$(LIBEXEC)/localauth-helper" \
	  "$(DESTDIR)$(PREFIX)/bin/localauth" "$(DESTDIR)$(UNITS)/localauth.socket" "$(DESTDIR)$(UNITS)/localauth@.service" \
	  "$(DESTDIR)$(MAN)/pam_localauth.8" "$(DESTDIR)$(MAN5)/localauth.conf.5" "$(DESTDIR)$(PROFILES)/localauth" \
	  "$(DESTDIR)$(SHARE)/pam.d/other" "$(DESTDIR)$(SHARE)/pam.d/localauth-passcode"
	if cmp -s pam/localauth-passcode "$(DESTDIR)$(ETC)/pam.d/localauth-passcode"; then \
	  rm -f "$(DESTDIR)$(ETC)/pam.d/localauth-passcode"; fi
	if cmp -s pam/localauth.conf "$(DESTDIR)$(ETC)/security/localauth.conf"; then \
	  rm -f "$(DESTDIR)$(ETC)/security/localauth.conf"; fi
	rmdir -p --ignore-fail-on-non-empty "$(DESTDIR)$(LIBEXEC)" "$(DESTDIR)$(SHARE)/pam.d" 2>/dev/null || true
