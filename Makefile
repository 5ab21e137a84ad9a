# Build of DTrace for Linux.  `make` builds build/dtrace; see CONTRIBUTING.md for the other targets.
# CROSS=aarch64-linux-gnu- builds for another architecture, in a folder of its own.
CROSS ?=
ifeq ($(origin CC),default)
CC := $(CROSS)gcc
endif
HOSTCC ?= gcc
AR := $(CROSS)ar
CLANG ?= clang
PREFIX ?= /usr
B ?= build$(CROSS:%-=/%)
OPT ?= -O2
CFLAGS ?= $(OPT) -g
WARN := -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
CPPFLAGS += -iquote src -iquote include -iquote $(B)/gen -D_GNU_SOURCE
LDLIBS += -lbpf -lelf -liberty -lz
# The command and the library share one set of objects.  The library exports the names in its map.
PIC := -fPIC -fvisibility=hidden

# Folders of the core, from the table of ranks.
RANKS := $(filter-out cmd,$(shell sed -n 's/^| `src\/\([a-z]*\)` | [0-9].*/\1/p' ARCHITECTURE.md))
SRC := $(foreach d,$(RANKS),$(sort $(wildcard src/$d/*.c)))
GEN := $(B)/gen/kern/syscalls.inc $(B)/gen/kern/syscalls32.inc
GENC := $(B)/gen/rt.c $(B)/gen/builtin_table.c $(B)/gen/provider_table.c $(B)/gen/dlib.c $(B)/gen/web.c
OBJ := $(SRC:src/%.c=$(B)/obj/%.o) $(GENC:$(B)/gen/%.c=$(B)/obj/gen/%.o)
LIB := $(B)/core.a
CMD := $(patsubst src/%.c,$(B)/obj/%.o,$(wildcard src/cmd/*.c))
PROV := $(wildcard src/prov/*.c)
# Libraries of every architecture, and the libraries of the target architecture.
DLIB_ARCH ?= $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
DLIB := $(sort $(wildcard dlib/*.d)) $(wildcard dlib/$(DLIB_ARCH)/*.d)

# The version is the first entry of the package's changelog.
RELEASE := $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)

# Print a short line for each file.  V=1 prints the commands, make -s prints nothing.
ifneq ($(V),1)
Q := @
say = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo $1;)
endif
QUIET_CC = $(call say,CC $<)
QUIET_AR = $(call say,AR $@)
QUIET_LD = $(call say,LD $@)
QUIET_BPF = $(call say,BPF $<)
QUIET_GEN = $(call say,GEN $@)

all: $(B)/dtrace $(B)/libdtrace.so

$(B)/dtrace: $(CMD) $(LIB)
	$(QUIET_LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIB): $(OBJ)
	$(Q)rm -f $@
	$(QUIET_AR)$(AR) rcs $@ $^

# The shared library, under the name that programs load and the name that the linker looks for.
MAP := src/lib/libdtrace.map

$(B)/libdtrace.so.1: $(OBJ) $(MAP)
	$(QUIET_LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(MAP) -Wl,-z,defs -o $@ $(OBJ) $(LDLIBS)

$(B)/libdtrace.so: $(B)/libdtrace.so.1
	$(QUIET_LD)ln -sf $(<F) $@

$(B)/obj/%.o: src/%.c | $(GEN)
	$(Q)mkdir -p $(@D)
	$(QUIET_CC)$(CC) -std=gnu11 $(CFLAGS) $(PIC) $(WARN) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/cmd/dtrace.o: CPPFLAGS += -DRELEASE='"$(RELEASE)"'
$(B)/obj/cmd/dtrace.o: debian/changelog

$(B)/obj/gen/%.o: $(B)/gen/%.c
	$(Q)mkdir -p $(@D)
	$(QUIET_CC)$(CC) -std=gnu11 $(CFLAGS) $(PIC) $(WARN) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(B)/gen/kern/syscalls.inc: tools/gen-syscalls.sh
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)CC="$(CC)" tools/gen-syscalls.sh >$@.tmp && mv $@.tmp $@

$(B)/gen/kern/syscalls32.inc: tools/gen-syscalls.sh
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)CC="$(CC)" tools/gen-syscalls.sh 32 >$@.tmp && mv $@.tmp $@

$(B)/gen/builtin_table.c: tools/gen-tables.sh $(wildcard src/builtin/*.c)
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)tools/gen-tables.sh builtin $(wildcard src/builtin/*.c) >$@

$(B)/gen/provider_table.c: tools/gen-tables.sh $(PROV)
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)tools/gen-tables.sh provider $(PROV) >$@

# The build indexes the libraries of dlib/.  dtrace indexes libraries of -L with the same files.
INDEX := src/lang/index.c src/lang/scan.c src/base/arena.c src/base/buf.c src/base/mem.c

$(B)/embed-libs: tools/embed-libs.c $(INDEX) $(wildcard src/lang/*.h src/base/*.h) src/lang/token.def
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(HOSTCC) -std=gnu11 -O2 -g $(WARN) $(CPPFLAGS) -o $@ $(filter %.c,$^)

$(B)/gen/dlib.c: $(B)/embed-libs $(DLIB)
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)$(B)/embed-libs $(DLIB) >$@.tmp && mv $@.tmp $@

$(B)/gen/web.c: tools/gen-web.sh $(wildcard src/chart/web/*)
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)tools/gen-web.sh $(sort $(wildcard src/chart/web/*)) >$@

$(B)/rt.bpf.o: src/rt/rt.bpf.c $(wildcard src/rt/*.h)
	$(Q)mkdir -p $(@D)
	$(QUIET_BPF)$(CLANG) -O2 -g -target bpf -mcpu=v3 -iquote src -Wall -c -o $@ $<

$(B)/embed-rt: tools/embed-rt.c
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(HOSTCC) -std=gnu11 -O2 -g $(WARN) $(CPPFLAGS) -o $@ $< $(LDLIBS)

$(B)/gen/rt.c: $(B)/rt.bpf.o $(B)/embed-rt
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)$(B)/embed-rt $(B)/rt.bpf.o >$@.tmp && mv $@.tmp $@

# Prints the words of the language, for generators and checks.
$(B)/words: tools/words.c $(LIB)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

-include $(OBJ:.o=.d) $(CMD:.o=.d)

clean:
	rm -rf $(B)

# ---- manuals: pages by hand, with lists of probes and structures from the libraries ----

# Tools have a manual section of their own, because other packages have programs of these names.
SCRIPTS := $(notdir $(wildcard scripts/*))
TOOLS := $(filter-out tool.sh http.sh calls.sh owners.sh,$(SCRIPTS))
# Each tool is a command.  If another Debian package has a command of that name, ours is dtrace-NAME.
TAKEN := iotop tcptrack
MAN := $(patsubst man/%,$(B)/man/%,$(wildcard man/*.[1-9])) $(B)/man/dwatch.1 $(TOOLS:%=$(B)/man/%.1dtrace) \
	$(TAKEN:%=$(B)/man/dtrace-%.1dtrace)

$(B)/man/%.1dtrace: scripts/% tools/tool-page.sh tools/tool-page.awk
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)tools/tool-page.sh $< >$@.tmp && mv $@.tmp $@

$(B)/man/dtrace-%.1dtrace: $(B)/man/%.1dtrace
	$(QUIET_GEN)sed 's/\b$*\b/dtrace-$*/g' $< >$@

# Reading all libraries takes half a second, so that all pages share the result.
$(B)/gen/probes: tools/probes.awk $(DLIB)
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)cat $(DLIB) | tr '\n\t' '  ' | awk -f tools/probes.awk >$@.tmp && mv $@.tmp $@

$(B)/man/%: man/% tools/manual.sh $(B)/gen/probes src/config/opts.def
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)tools/manual.sh $< $(B)/gen/probes $(DLIB) >$@.tmp && mv $@.tmp $@

$(B)/man/dwatch.1: dwatch/dwatch.1
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)cp $< $@

man: $(MAN)

# ---- installation: directories of the GNU standards, prefixed with DESTDIR ----

prefix ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
sbindir ?= $(exec_prefix)/sbin
libexecdir ?= $(exec_prefix)/libexec
libdir ?= $(exec_prefix)/lib
includedir ?= $(prefix)/include
pkgconfigdir ?= $(libdir)/pkgconfig
pythondir ?= $(prefix)/lib/python3/dist-packages
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/dtrace
exampledir ?= $(docdir)/examples
scriptdir ?= $(datadir)/dtrace/scripts
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)
fishdir ?= $(datadir)/fish/vendor_completions.d
vimdir ?= $(datadir)/vim/vimfiles
vscodedir ?= $(datadir)/dtrace/vscode
unitdir ?= $(PREFIX)/lib/systemd/system
INSTALL ?= install
INSTALL_PROGRAM ?= $(INSTALL) -m 755
INSTALL_DATA ?= $(INSTALL) -m 644

PROFILES := $(notdir $(wildcard dwatch/profiles/*)) .names .net
UNITS := $(notdir $(wildcard systemd/*))
HEADERS := dtrace.h sys/dtrace.h
PYEXAMPLES := $(notdir $(wildcard python/examples/*))
# bash and fish load completions from a file with the name of the command.
COMPLETED := dwatch $(filter-out %.d,$(TOOLS))
# Installed pages share one folder: README.md stays, and the guide's index of the same name is left out.
DOCS := README.md LICENSE $(filter-out docs/README.md,$(wildcard docs/*.md))
in = $(DESTDIR)$1
command = $(if $(filter $1,$(TAKEN)),dtrace-)$1

# Profiles can be links to each other.
install: all man
	$(INSTALL) -d $(foreach d,$(bindir) $(sbindir) $(libexecdir)/dwatch $(docdir) $(scriptdir) $(bashdir) \
		$(zshdir) $(fishdir) $(vimdir)/syntax $(vimdir)/ftdetect $(vscodedir)/syntaxes $(unitdir) $(libdir) \
		$(includedir)/sys $(pkgconfigdir) $(pythondir) $(exampledir) $(foreach n,1 3 4 7,$(mandir)/man$n),$(call in,$d))
	$(INSTALL_PROGRAM) $(B)/dtrace $(call in,$(sbindir)/dtrace)
	$(INSTALL_PROGRAM) dwatch/dwatch $(call in,$(bindir)/dwatch)
	cp -P $(addprefix dwatch/profiles/,$(PROFILES)) $(call in,$(libexecdir)/dwatch)
	chmod -R u=rwX,go=rX $(call in,$(libexecdir)/dwatch)
	$(INSTALL_PROGRAM) $(addprefix scripts/,$(TOOLS)) $(call in,$(scriptdir))
	$(INSTALL_DATA) $(addprefix scripts/,tool.sh http.sh calls.sh owners.sh) $(call in,$(scriptdir))
	$(foreach t,$(TOOLS),ln -srf $(call in,$(scriptdir)/$t) $(call in,$(bindir)/$(call command,$t)) &&) true
	sed -i 's,^#!/usr/sbin/dtrace,#!$(sbindir)/dtrace,; s,^PATH=$$PATH:/usr/sbin$$,PATH=$$PATH:$(sbindir),' $(addprefix $(call in,$(scriptdir))/,$(SCRIPTS))
	$(INSTALL_DATA) $(DOCS) $(call in,$(docdir))
	$(foreach n,1 3 4 7,$(INSTALL_DATA) $(filter %.$n %.$ndtrace,$(MAN)) $(call in,$(mandir)/man$n) &&) true
	$(INSTALL_DATA) completion/dtrace.bash $(call in,$(bashdir)/dtrace)
	$(INSTALL_DATA) completion/_dtrace $(call in,$(zshdir)/_dtrace)
	$(INSTALL_DATA) completion/dtrace.fish $(call in,$(fishdir)/dtrace.fish)
	$(foreach c,$(COMPLETED),ln -sf dtrace $(call in,$(bashdir)/$c) && ln -sf dtrace.fish $(call in,$(fishdir)/$c.fish) &&) true
	$(foreach f,syntax ftdetect,$(INSTALL_DATA) editors/vim/$f/dtrace.vim $(call in,$(vimdir)/$f/dtrace.vim) &&) true
	$(foreach u,$(UNITS),sed 's,/usr/sbin/dtrace,$(sbindir)/dtrace,' systemd/$u >$(call in,$(unitdir)/$u) &&) true
	chmod 644 $(foreach u,$(UNITS),$(call in,$(unitdir)/$u))
	$(INSTALL_DATA) $(B)/libdtrace.so.1 $(call in,$(libdir)/libdtrace.so.1)
	ln -sf libdtrace.so.1 $(call in,$(libdir)/libdtrace.so)
	$(foreach h,$(HEADERS),$(INSTALL_DATA) include/$h $(call in,$(includedir)/$h) &&) true
	sed 's,@prefix@,$(prefix),; s,@exec_prefix@,$(exec_prefix),; s,@libdir@,$(libdir),; s,@includedir@,$(includedir),; s,@version@,$(RELEASE),' \
		lib/dtrace.pc.in >$(call in,$(pkgconfigdir)/dtrace.pc)
	$(INSTALL_DATA) python/libdtrace.py $(call in,$(pythondir)/libdtrace.py)
	$(INSTALL_PROGRAM) $(addprefix python/examples/,$(PYEXAMPLES)) $(call in,$(exampledir))
	$(INSTALL_DATA) editors/vscode/*.json $(call in,$(vscodedir))
	$(INSTALL_DATA) editors/vscode/syntaxes/*.json $(call in,$(vscodedir)/syntaxes)

# Keep directories that can hold files of other packages.
uninstall:
	rm -f $(call in,$(sbindir)/dtrace) $(foreach u,$(UNITS),$(call in,$(unitdir)/$u)) $(call in,$(bindir)/dwatch) $(call in,$(bashdir)/dtrace) \
		$(call in,$(zshdir)/_dtrace) $(call in,$(fishdir)/dtrace.fish) \
		$(foreach c,$(COMPLETED),$(call in,$(bashdir)/$c) $(call in,$(fishdir)/$c.fish)) \
		$(foreach f,syntax ftdetect,$(call in,$(vimdir)/$f/dtrace.vim)) \
		$(foreach f,libdtrace.so libdtrace.so.1,$(call in,$(libdir)/$f)) $(foreach h,$(HEADERS),$(call in,$(includedir)/$h)) \
		$(call in,$(pkgconfigdir)/dtrace.pc) $(call in,$(pythondir)/libdtrace.py) \
		$(foreach m,$(notdir $(MAN)),$(call in,$(mandir)/man$(patsubst .%,%,$(subst dtrace,,$(suffix $m)))/$m))
	rm -f $(foreach t,$(TOOLS),$(call in,$(bindir)/$(call command,$t)))
	rm -rf $(call in,$(exampledir)) $(call in,$(vscodedir)) $(call in,$(libexecdir)/dwatch) $(call in,$(scriptdir)) $(call in,$(docdir))

.PHONY: all clean install uninstall

# ---- tests: rungs 1 to 4 need no root ----

# Test programs verify the IR after each pass of the optimizer.
CHECKED := $(B)/obj/test/pipeline.o
TESTED := $(CHECKED) $(LIB)

$(CHECKED): src/opt/pipeline.c
	$(Q)mkdir -p $(@D)
	$(QUIET_CC)$(CC) -std=gnu11 $(CFLAGS) $(PIC) $(WARN) $(CPPFLAGS) -DIR_CHECK -MMD -MP -c -o $@ $<

-include $(CHECKED:.o=.d)

UNIT := $(patsubst test/unit/%.c,$(B)/test/%,$(wildcard test/unit/*_test.c))

$(B)/test/%: test/unit/%.c $(TESTED) $(wildcard test/unit/*.h)
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) -iquote test/unit $(LDFLAGS) -o $@ $< $(TESTED) $(LDLIBS)

$(B)/test/lang_run: test/lang/run.c test/result.h $(TESTED)
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $< $(TESTED) $(LDLIBS)

$(B)/test/ir_run: test/ir/run.c test/result.h $(TESTED)
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $< $(TESTED) $(LDLIBS)

$(B)/test/exec_run: test/exec/run.c test/exec/stage.c test/exec/stage.h test/result.h $(TESTED)
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) $(TESTED) $(LDLIBS)

# dtrace with one more provider, whose generated table comes before the table of the library.
$(B)/test/dtrace-toy: test/prov/toy.c $(CMD) $(LIB)
	$(Q)mkdir -p $(@D)
	$(Q)tools/gen-tables.sh provider $(PROV) $< >$@.c
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $@.c $^ $(LDLIBS)

# Run JOBS processes in parallel, by default one per processor.  V=1 lists the slowest tests.
export JOBS V

unit: $(UNIT)
	@tools/run-tests.sh unit $(UNIT) $(wildcard test/unit/*_test.sh)

lang: $(B)/test/lang_run
	@tools/run-tests.sh lang --files $< $(wildcard test/lang/*.d)

ir: $(B)/test/ir_run
	@tools/run-tests.sh ir --files $< $(wildcard test/ir/*.ir)

exec: $(B)/test/exec_run
	@tools/run-tests.sh exec --files $< $(wildcard test/exec/*.d)

# Run single tests of any rung: make T="NAME..." test.
test:
	@B="$(B)" MAKE="$(MAKE)" tools/test.sh $(T)

# Compare the manual pages with the tables that they describe.
man-check: $(B)/dtrace $(B)/words $(MAN)
	@test/man/run.sh $(B)

# Check the installed files, and that uninstalling removes them.
install-check: $(B)/dtrace $(MAN)
	@test/install/run.sh $(B)

# Build for another processor, in a Debian root that has its compiler and libraries.
cross:
	$(Q)tools/packages.sh root
	$(Q)tools/cross.sh build

# A file may include its own folder and lower ranks only.
layers:
	@tools/layers.sh

# List rows of the language that no test covers.
rows: $(B)/words $(B)/dtrace
	@tools/rows.sh $(B)

# `docs` generates the tables of stable probes and of tools, and the D syntax for editors.  `docs-check` reports
# differences.
VIM := editors/vim/syntax/dtrace.vim
VSCODE := editors/vscode/syntaxes/dtrace.tmLanguage.json

docs: $(B)/words
	@tools/probes.sh dlib/*.d >docs/probes.md
	@tools/tools.sh $(TOOLS:%=scripts/%) >docs/tools.md
	@tools/editors.sh vim $< dlib/*.d dlib/*/*.d >$(VIM)
	@tools/editors.sh vscode $< dlib/*.d dlib/*/*.d >$(VSCODE)

# Pages that docs-check searches for long sentences.
PROSE := README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md $(wildcard docs/*.md man/*.[1-7]) dwatch/dwatch.1

docs-check: $(B)/words
	@tools/probes.sh dlib/*.d | diff docs/probes.md -
	@tools/tools.sh $(TOOLS:%=scripts/%) | diff docs/tools.md -
	@tools/editors.sh vim $< dlib/*.d dlib/*/*.d | diff $(VIM) -
	@tools/editors.sh vscode $< dlib/*.d dlib/*/*.d | diff $(VSCODE) -
	@if type python3 >/dev/null 2>&1; then tools/prose.py $(PROSE) && tools/comments.py >/dev/null || { tools/comments.py -v; false; }; \
		else echo "skipped (not installed: python3): length of sentences, comments"; fi

# List options of -x, or of EFFECTS, that no test misses when they are disabled.
effects: $(B)/effects/dtrace $(B)/effects/exec_run
	@tools/effects.sh $(B)/effects $(EFFECTS)

IGNORE := test/effects/ignore.c -Wl,--wrap=session_setopt

$(B)/effects/dtrace: $(CMD) $(LIB) test/effects/ignore.c
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $(CMD) $(IGNORE) $(LIB) $(LDLIBS)

$(B)/effects/exec_run: test/exec/run.c test/exec/stage.c test/exec/stage.h test/result.h $(LIB) test/effects/ignore.c
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $(filter test/exec/%.c,$^) $(IGNORE) \
		$(LIB) $(LDLIBS)

# Build N mutants from SEED, or of AT="FILE:LINE...", in a copy of the sources; list mutants that no test detects.
N ?= 60
SEED ?= 1

mutants:
	@tools/mutants.py $(B)/mutants $(N) $(SEED) $(AT)

# Compare the number of instructions of typical programs with test/budget.txt.
budget: $(B)/dtrace
	@tools/budget.sh

# Versions of clang-format lay out some lines differently.
FORMATTER := 14
FORMATTED = $$(find src include test tools -name '*.[ch]')

format:
	clang-format -i $(FORMATTED)

format-check:
	@if clang-format --version 2>/dev/null | grep -q ' version $(FORMATTER)\.'; then \
		clang-format --dry-run -Werror $(FORMATTED); \
	else \
		echo "skipped (not installed: clang-format $(FORMATTER)): format-check"; \
		echo "1 skipped, 0 on the second run only"; \
	fi

include tools/package.mk

.PHONY: unit lang ir exec test man man-check install-check cross layers rows docs docs-check effects witness chaos viewers readers mutants budget format format-check

# Compare the files for other viewers, of real programs, as root; VIEWERS=FOLDER keeps them.
# Random loads, compared with independent sources: NAME=mib, SEED=1, COUNT=1000 select one of them.
# GUEST=6.12 runs packets, mib, mib-scope and loss in a guest; VARIANT=vxlan is a path of packets.
witness: $(B)/dtrace
	@GUEST="$(GUEST)" VARIANT="$(VARIANT)" test/witness/run.sh "$(NAME)" $(or $(SEED),1) $(COUNT)

# Disturb dtrace in random ways: NAME=kill, SEED=1, COUNT=100 select one of them.
chaos: $(B)/dtrace
	$(Q)$(MAKE) --no-print-directory B=$(B)/asan CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address" $(B)/asan/dtrace
	@SANITIZED=$(abspath $(B))/asan/dtrace test/chaos/run.sh "$(NAME)" $(or $(SEED),1) $(COUNT)

viewers: $(B)/dtrace
	@test/viewers.sh $(VIEWERS)

# Ask the readers of files and metrics for a load of known size, as root; READERS=FOLDER keeps the files.
readers: $(B)/dtrace
	@test/readers.sh $(READERS)

# ---- benchmarks, as root ----

$(B)/bench/%.bpf.o: test/bench/%.bpf.c
	$(Q)mkdir -p $(@D)
	$(QUIET_BPF)$(CLANG) -O2 -g -target bpf -mcpu=v3 -I/usr/include/$(shell $(CC) -dumpmachine) -c -o $@ $<

$(B)/bench/%: test/bench/%.c
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) -Wall -o $@ $< -lbpf

bench: $(B)/dtrace $(B)/bench/floor.bpf.o $(B)/bench/keys.bpf.o $(B)/bench/bench $(B)/bench/startup $(B)/bench/keys
	$(B)/bench/startup $(B)/dtrace
	$(B)/bench/bench $(B)/bench/floor.bpf.o $(B)/dtrace
	$(B)/bench/keys $(B)/bench/keys.bpf.o $(B)/dtrace

# DISK is a disk that can be read directly, such as a loop device.  Without DISK the rows of disks are left out.
bench-hooks: $(B)/dtrace $(B)/bench/hooks.bpf.o $(B)/bench/hooks
	$(B)/bench/hooks $(B)/bench/hooks.bpf.o $(B)/dtrace "$(DISK)"

$(B)/bench/user.h: test/bench/user.d $(B)/dtrace
	$(Q)mkdir -p $(@D)
	$(QUIET_GEN)$(B)/dtrace -h -s $< -o $@

$(B)/bench/user.bpf.o: CLANG += -D__TARGET_ARCH_x86
$(B)/bench/user: CFLAGS += -iquote $(B) -fno-omit-frame-pointer
$(B)/bench/user: $(B)/bench/user.h

# Use the installed bpftrace, or download one that runs from its folder.
bench-user: $(B)/dtrace $(B)/bench/user.bpf.o $(B)/bench/user
	test/bench/bpftrace.sh
	$(B)/bench/user $(B)/bench/user.bpf.o $(B)/dtrace $(B)/bench/bpftrace/tree

# Download bpftrace for a guest.
bench-targets: $(B)/dtrace
	test/bench/targets.sh

bench-languages: $(B)/dtrace
	test/bench/languages.sh

bench-fbt: $(B)/dtrace
	test/bench/fbt-guest.sh

.PHONY: bench bench-hooks bench-user bench-fbt bench-targets bench-languages

# ---- fuzzing (clang's libFuzzer), FUZZ_TIME seconds for each target, and torture.  FUZZ_OPT=-O0 compiles in a quarter of
# the time, and tries a third as many inputs ----

FUZZ_TIME ?= 60
FUZZ_OPT ?= -O1
FUZZ := $(patsubst test/fuzz/%.c,%,$(wildcard test/fuzz/fuzz_*.c))
FUZZ_RUNS := $(FUZZ:%=fuzz-run-%)
FUZZ_FLAGS := -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined
FUZZ_RUN = -max_total_time=$(FUZZ_TIME) -max_len=4096 -timeout=10 -print_final_stats=1

fuzz: $(FUZZ_RUNS)

fuzz-core:
	$(Q)$(MAKE) --no-print-directory B=$(B)/fuzz CC=$(CLANG) CFLAGS="$(FUZZ_OPT) -g -fsanitize=fuzzer-no-link,address,undefined" \
		$(TESTED:$(B)/%=$(B)/fuzz/%)

# The repository's corpus is only read; new inputs stay in build/fuzz/corpus.
$(FUZZ_RUNS): fuzz-run-%: fuzz-core
	@mkdir -p $(B)/fuzz/corpus/$*
	$(call say,LD $(B)/fuzz/$*)$(CLANG) $(FUZZ_FLAGS) $(CPPFLAGS) -iquote $(B)/fuzz/gen -o $(B)/fuzz/$* test/fuzz/$*.c test/exec/stage.c \
		$(TESTED:$(B)/%=$(B)/fuzz/%) $(LDLIBS)
	@$(B)/fuzz/$* $(FUZZ_RUN) -artifact_prefix=$(B)/fuzz/$*- $(B)/fuzz/corpus/$* $(wildcard test/fuzz/corpus/$*) \
		>$(B)/fuzz/$*.log 2>&1; status=$$?; \
		grep -aE 'cov:|ERROR|SUMMARY|Assertion|average_exec' $(B)/fuzz/$*.log | tail -n 4 | cut -c1-200 | sed 's/^/$*: /'; \
		exit $$status

# Rungs 1 to 4 and some random programs with one malloc per allocation, three registers, no signed division, tiny
# tables (base/torture.h) and sanitizers.
torture:
	$(Q)$(MAKE) --no-print-directory B=$(B)/torture CFLAGS="-O1 -g -fsanitize=address,undefined -DARENA_MALLOC -DTORTURE" GEN_COUNT=100 \
		unit lang ir exec gen

.PHONY: fuzz fuzz-core $(FUZZ_RUNS) torture

# ---- random programs, compared with an evaluator of the checked tree: GEN_COUNT programs from seed GEN_SEED ----

GEN_COUNT ?= 2000
GEN_SEED ?= 0

$(B)/test/gen_run: $(wildcard test/gen/*.[ch]) test/exec/stage.c test/exec/stage.h $(TESTED)
	$(Q)mkdir -p $(@D)
	$(QUIET_LD)$(CC) -std=gnu11 $(CFLAGS) $(WARN) $(CPPFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) $(TESTED) $(LDLIBS)

gen: $(B)/test/gen_run
	$(B)/test/gen_run $(GEN_SEED) $(GEN_COUNT)

.PHONY: gen
