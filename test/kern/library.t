#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# library.t: D libraries of -L: their order, dependencies, versions, errors.
# rows: -L -xlibdir -xnolibs -xsyslibdir
# guests: none
. "${0%/*}/lib.sh"

cd "$work" || exit 1

# prints WANT TEXT ARGUMENT...: checks the output of a quiet run.
prints() {
	local want=$1 text=$2
	shift 2
	dtrace_run -q "$@"
	is "$(cat "$work/out")" "$want" "$text"
}

# fails TEXT MESSAGE ARGUMENT...: checks for status 1 with this message.
fails() {
	local text=$1 message=$2
	shift 2
	dtrace_run -x errtags "$@"
	is $status 1 "$text: status 1"
	ok "$text: message" grep -qF -- "$message" "$work/err" || note_file errors "$work/err"
}

mkdir first second deps cycle missing bad
cat >first/a.d <<'END'
inline int lib_a = 5;
#pragma D binding "1.5" lib_a
#pragma D attributes Evolving/Evolving/ISA lib_a
struct lib_out { int a; };
struct lib_in { int b; };
#pragma D binding "1.6" translator
translator struct lib_out < struct lib_in *p > { a = p->b; };
END
echo 'inline int lib_a = 7;' >second/a.d
prints 5 "-L" -L first -n 'BEGIN { trace(lib_a); exit(0); }'
prints 7 "the first of two libraries of one name" -L second -L first \
	-n 'BEGIN { trace(lib_a); exit(0); }'
prints 5 "option libdir" -x libdir=first -n 'BEGIN { trace(lib_a); exit(0); }'
fails "a directory that is not there" 'failed to set -L nonexistent: No such file or directory' -L nonexistent -n BEGIN
fails "what is no directory" 'failed to set -L /dev/null: Not a directory' -L /dev/null -n BEGIN
fails "nolibs" '[D_IDENT_UNDEF]' -e -L first -x nolibs -n 'BEGIN { trace(lib_a); }'
prints 7 "option syslibdir" -x syslibdir=second -n 'BEGIN { trace(lib_a); exit(0); }'
prints 1 "a name of the system's libraries" -n 'BEGIN { trace(SIGHUP); exit(0); }'
fails "syslibdir: in place of those" '[D_IDENT_UNDEF]' -e -x syslibdir=second -n 'BEGIN { trace(SIGHUP); }'
fails "a binding later than option version" '[D_IDENT_UNDEF]' -e -L first -x version=1.4 \
	-n 'BEGIN { trace(lib_a); }'
fails "a translator later than option version" '[D_XLATE_NONE]' -e -L first -x version=1.5 \
	-n 'struct lib_in *x; BEGIN { trace(xlate <struct lib_out *>(x)->a); }'
dtrace_run -e -L first -n 'struct lib_in *x; BEGIN { trace(xlate <struct lib_out *>(x)->a); }'
is $status 0 "a translator without option version"
fails "attributes of a library's name" '[D_ATTR_MIN]' -e -L first -x amin=Stable/Stable/Common \
	-n 'BEGIN { trace(lib_a); }'

cp first/a.d deps/z.d
cat >deps/b.d <<'END'
#pragma D depends_on library z.d
#pragma D depends_on module vmlinux
#pragma D depends_on provider syscall
#pragma D depends_on provider tcp
inline int lib_b = lib_a + 1;
END
for kind in provider module; do
	printf '#pragma D depends_on %s nonesuch\ninline int lib_%s = 1;\n' $kind $kind >deps/$kind.d
done
printf '#pragma D depends_on library module.d\ninline int lib_c = 1;\n' >deps/c.d
prints 6 "a library is loaded after those it depends on" -L deps -n 'BEGIN { trace(lib_b); exit(0); }'
for name in provider module c; do
	fails "a library whose needs are not met is not there: $name" '[D_IDENT_UNDEF]' \
		-e -L deps -n "BEGIN { trace(lib_$name); }"
done

printf '#pragma D depends_on library y.d\n' >cycle/x.d
printf '#pragma D depends_on library x.d\n' >cycle/y.d
fails "a cycle" 'Cyclic dependency detected: cycle/y.d => cycle/x.d' -L cycle -e -n BEGIN
printf '#pragma D depends_on library nonesuch.d\n' >missing/x.d
fails "an unknown library" 'Invalid library dependency in missing/x.d: nonesuch.d' \
	-L missing -e -n BEGIN
echo 'inline int lib_a = ;' >bad/x.d
fails "an error in a library" '[D_SYNTAX] "bad/x.d", line 1: ' -L bad -e -n BEGIN

for kind in provider module; do
	echo "#pragma D depends_on $kind nonesuch" >needs.d
	echo 'BEGIN { exit(0); }' >>needs.d
	fails "a program whose needs are not met: $kind" '[D_PRAGMA_DEPEND]' -e -s needs.d
done

# -e without a program compiles all libraries, including the clauses of the user's.
fails "-e alone" 'no probes specified' -e
dtrace_run -e -L first
is "$status$(cat "$work/out" "$work/err")" 0 "-e of libraries without an error: silence"
fails "-e alone: an error in a library" '[D_SYNTAX] "bad/x.d", line 1: ' -L bad -e
mkdir -p clause
echo 'BEGIN { trace(nosuch); }' >clause/x.d
fails "-e alone: an error in a clause of a library" '[D_IDENT_UNDEF] "clause/x.d", line 1: ' -L clause -e
fails "an error in a library, with the program" 'invalid probe specifier BEGIN: [D_SYNTAX] "bad/x.d", line 1: ' \
	-L bad -e -n BEGIN
dtrace_run -L bad -qn 'BEGIN { exit(3); }'
is $status 3 "a library that is not needed stops no run"
fails "... one that is needed does" '"bad/x.d", line 1: ' -L bad -n 'BEGIN { trace(lib_a); }'

# Probes of one name, distinguished by module and function.
mkdir fields
cat >fields/v.d <<'END'
provider fields {
	probe a:b:entry(int n);
	probe a : b : return(int n);
	probe c:b:entry__fast();
	probe d:b:entry(int n);
	probe plain();
	probe twice();
};
site fields:a:b:entry from dtrace:::BEGIN { return (1); }
site fields:d:b:entry from dtrace:::BEGIN { return (2); }
site fields:a:b:return from dtrace:::END { return (3); }
site fields:::twice from rawtp:::nosuch { return (); } else from dtrace:::BEGIN, dtrace:::END { return (); }
END
dtrace_run -L fields -lP fields
is "$(awk 'NR > 1 { print $2 "|" $3 "|" $4 "|" $5 "|" $6 }' "$work/out" | sort | paste -sd ' ')" \
	"fields|a|b|entry| fields|a|b|return| fields|c|b|entry-fast| fields|d|b|entry| fields|plain||| fields|twice|||" \
	"module and function are listed"
prints "a:b:entry 1 d:b:entry 2 " "one name, two functions" -L fields \
	-n 'fields:::entry { printf("%s:%s:%s %d ", probemod, probefunc, probename, arg0); } BEGIN { exit(0); }'
prints 3 "one of them" -L fields -n 'fields:a:b: /arg0 != 1/ { trace(arg0); } BEGIN { exit(0); }'
prints 2 "all descriptions of an alternative" -L fields -n 'fields:::twice { n++; } BEGIN { exit(0); } END { trace(n); }'
fails "a module that some kernel has" 'does not match any probes' -L fields -n fields:kernel:b:entry
dtrace_run -L fields -n fields:c:b:entry-fast -n 'BEGIN { exit(0); }'
has "$work/err" '^dtrace: cannot enable fields:c:b:entry-fast: this kernel has none of its sites; dtrace -lv lists them$' "one without a site"
dtrace_run -q -L fields -n 'fields:::*a* { } BEGIN { exit(0); }'
is "$(cat "$work/err")" 'dtrace: cannot enable fields:c:b:entry-fast, fields:::plain: this kernel has none of their sites; dtrace -lv lists them' "several, in a line"

# A site belongs to the probe that it names in full.  A probe whose module is the kernel module of its site exists only
# while that module is loaded.
mkdir parts
cat >parts/p.d <<'END'
provider parts {
	probe p(int n);
	probe other::p(int n);
	probe nosuch::p(int n);
};
site parts:::p from dtrace:::BEGIN { return (1); }
site parts:other::p from dtrace:::BEGIN { return (2); }
site parts:nosuch::p from rawtp:nosuch::p { return (3); }
END
prints ": 1 other: 2 " "each probe of one name has its own site" -L parts \
	-n 'parts:::p { printf("%s: %d ", probemod, arg0); } BEGIN { exit(0); }'
ok "... and none is said to lack one" dtrace_is_quiet
fails "the module of one is not loaded" 'does not match any probes: the module nosuch is not loaded' -L parts -n parts:nosuch::p

# Libraries are loaded only when needed, otherwise every program would pay for all of them.
for want in 'tcp:::send ip.d kernel.d net.d tcp.d' 'proc:::exec cpu.d kernel.d proc.d procfs.d regs.d signal.d' 'sdt:::m-free mbuf.d sdt.d'; do
	dtrace_run -x debug -en "${want%% *}"
	is "$(sed -n 's/.*DEBUG: library \(.*\) is wanted/\1/p' "$work/err" | sort | paste -sd ' ')" "${want#* }" \
		"the libraries that ${want%% *} needs"
done

done_testing
