#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cpp.t: scripts through the C preprocessor (-C), and its options (-D -U -I -H -X).
# rows: -C -D -U -I -H -X -xcpp -xdefine -xundef -xincdir -xcppargs -xcpphdrs -xcpppath -xstdc
# guests: none
. "${0%/*}/lib.sh"

type -P cpp >/dev/null || skip_all "no C preprocessor on this machine"

# prints WANT TEXT ARGUMENT...: checks the output of a quiet run.
prints() {
	local want=$1 text=$2
	shift 2
	dtrace_run -q "$@"
	is "$(cat "$work/out")" "$want" "$text"
}

cat >"$work/value.d" <<'END'
#!/usr/sbin/dtrace -Cs
#ifndef VALUE
#define VALUE 5
#endif
#define ADD(a, b) ((a) + (b))
BEGIN
{
	/* it's a comment with one quote */
	printf("%d %d", VALUE, ADD(VALUE, 1));
	exit(0);
}
END
prints '5 6' "-C: macros" -C -s "$work/value.d"
prints '9 10' "-D name=value" -C -D VALUE=9 -s "$work/value.d"
prints '1 2' "-D name" -C -DVALUE -s "$work/value.d"
prints '5 6' "-U after -D" -C -DVALUE=9 -UVALUE -s "$work/value.d"
prints '7 8' "options cpp and define" -x cpp -x define=VALUE=7 -s "$work/value.d"
prints '8 9' "option cppargs" -C -x cppargs='-DVALUE=8 -DOTHER' -s "$work/value.d"

cat >"$work/macros.d" <<'END'
#if !defined(__linux) || !defined(__unix) || !defined(__SVR4) || __SUNW_D != 1 || __SUNW_D_64 != 1
#error macros
#endif
BEGIN { printf("%x", __SUNW_D_VERSION); exit(0); }
END
prints 100e000 "macros that are always there" -C -s "$work/macros.d"
prints 1006003 "__SUNW_D_VERSION follows option version" -C -x version=1.6.3 -s "$work/macros.d"

printf '#ifdef __STDC__\nBEGIN { trace(__STDC__); exit(0); }\n#else\nBEGIN { trace("none"); exit(0); }\n#endif\n' \
	>"$work/stdc.d"
prints 0 "__STDC__" -C -s "$work/stdc.d"
prints 0 "__STDC__ with -Xa" -C -Xa -s "$work/stdc.d"
prints 1 "__STDC__ with -Xc" -C -Xc -s "$work/stdc.d"
prints none "__STDC__ with -Xs" -C -Xs -s "$work/stdc.d"
prints 0 "__STDC__ with -Xt" -C -Xt -s "$work/stdc.d"

mkdir "$work/include"
echo '#define INCLUDED 77' >"$work/include/part.h"
printf '#include <part.h>\nBEGIN { trace(INCLUDED); exit(0); }\n' >"$work/include.d"
prints 77 "-I" -C -I "$work/include" -s "$work/include.d"

printf 'enum e { BIT = 1u << 31 };\nenum wide { WIDE = 0x1234567890 };\nstruct tail { int n; char data[0]; };\n' \
	>"$work/include/compilers.h"
cat >"$work/compilers.d" <<'END'
#include <compilers.h>
BEGIN { printf("%x %x %d", BIT, WIDE, sizeof(struct tail)); exit(0); }
END
prints '80000000 1234567890 4' "headers may have what compilers allow" \
	-C -I "$work/include" -s "$work/compilers.d"
dtrace_run -qCH -I "$work/include" -s "$work/include.d"
has "$work/err" 'include/part.h$' "-H lists what is included"
printf '#include "include/part.h"\nBEGIN { trace(INCLUDED); exit(0); }\n' >"$work/beside.d"
prints 77 "an include beside the script" -C -s "$work/beside.d"
printf '#include <%s>\n' sys/types.h errno.h signal.h sys/socket.h netinet/in.h >"$work/system.d"
echo 'BEGIN { printf("%d %d %d", EAGAIN, AF_INET, (int)sizeof(struct sockaddr_in)); exit(0); }' \
	>>"$work/system.d"
prints '11 2 16' "includes of the system" -C -s "$work/system.d"

# fails TEXT MESSAGE ARGUMENT...: checks for status 1 with this message.
fails() {
	local text=$1 message=$2
	shift 2
	dtrace_run "$@"
	is $status 1 "$text: status 1"
	ok "$text: message" grep -qF -- "$message" "$work/err" || note_file errors "$work/err"
}

fails "a missing include" "failed to compile script $work/include.d: Preprocessor failed to process" \
	-C -s "$work/include.d"
fails "no preprocessor" "failed to compile script $work/include.d: Preprocessor not found" \
	-C -x cpppath=/nonexistent -s "$work/include.d"
fails "a control line without -C" "[D_PRAGCTL_INVAL] line 1: " -x errtags -s "$work/include.d"
fails "-C leaves -n alone" "[D_PRAGCTL_INVAL]" -C -x errtags -n '#define X 1
BEGIN { trace(X); }'
printf '#define X y\nBEGIN\n{\n\ttrace(X);\n}\n' >"$work/error.d"
fails "an error is where it was written" "[D_IDENT_UNDEF] line 4: " -C -x errtags -s "$work/error.d"
is "$(tail -n +2 "$work/err")" "     4 | 	trace(X);" "its line, without a caret where a macro has made the word"
printf '#define X 1\nBEGIN\n{\n\ttrace(X + x + 1 + x);\n}\n' >"$work/error.d"
fails "an error beside a macro" "line 4: failed to resolve x" -C -s "$work/error.d"
is "$(tail -n +2 "$work/err")" "     4 | 	trace(X + x + 1 + x);
       | 	          ^" "its line and column"
printf '#define X 1\n#pragma D option quiet\nBEGIN { trace(x); }\n' >"$work/error.d"
fails "an error below a pragma" "line 3: failed to resolve x" -C -s "$work/error.d"
is "$(tail -n +2 "$work/err")" "     3 | BEGIN { trace(x); }
       |               ^" "its line and column below a pragma"
echo 'BEGIN { trace(undefined); }' >"$work/include/error.h"
printf '#include <error.h>\n' >"$work/error.d"
fails "an error in an include" "[D_IDENT_UNDEF] \"$work/include/error.h\", line 1: " \
	-C -I "$work/include" -x errtags -s "$work/error.d"

done_testing
