#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# header.t: -h, the C header of a program's providers, and -G, the object for it.  usdt.t traces such programs.
# rows: -h -G
# guests: none
. "${0%/*}/lib.sh"

cd "$work" || exit 1
cat >my-app.d <<'END'
typedef struct request { int size; } request_t;
typedef struct { int bytes; } reqinfo_t;
translator reqinfo_t < request_t *R > { bytes = R->size; };
provider myapp {
	probe request__start(int, const char *name);
	probe request__done(request_t *r, int) : (reqinfo_t *r);
	probe idle(void);
	probe text(string);
};
END
dtrace_run -h -s my-app.d
is $status 0 "-h ends with status 0"
ok "the header is named for the script" test -s my-app.h
has my-app.h '^#ifndef	_MY_APP_H$' "the guard"
has my-app.h '^#define	MYAPP_REQUEST_START\(arg0, arg1\)' "the macro of a probe"
has my-app.h '^#define	MYAPP_REQUEST_START_ENABLED\(\)' "the macro that asks whether it is enabled"
has my-app.h '^__dtrace_myapp___request__start\(int arg0, const char \*arg1\)$' "arguments as they were written"
has my-app.h '^__dtrace_myapp___request__done\(request_t \*arg0, int arg1\)$' \
	"native arguments, not translated ones"
has my-app.h '^__dtraceenabled_myapp___idle\(void\)$' "the function behind it"
has my-app.h '^__dtrace_myapp___idle\(void\)$' "a probe without arguments"
has my-app.h '^__dtrace_myapp___text\(char \*arg0\)$' "string is char * in C"

dtrace_run -h -s my-app.d -o other.h
is $status 0 "-h -o"
has other.h '^#ifndef	_OTHER_H$' "the guard is made of the name of -o"

if compiler_here "a program with probes"; then
	cat >use.c <<'END'
typedef struct request request_t;
#include "my-app.h"
#include "my-app.h"

int main(void)
{
	int enabled = MYAPP_REQUEST_START_ENABLED();

	MYAPP_REQUEST_START(1, "name");
	MYAPP_IDLE();
	return enabled;
}
END
	ok "a program with probes can be compiled" gcc -Wall -Werror -c use.c -o use.o
	gcc use.o -o use
	ok "which needs no -G" ./use
	is "$(readelf -n use | grep -c '^ *Provider: myapp$')" 2 "its notes"
	for flags in -O0 -flto '-O2 -fPIE -pie' '-std=c99 -pedantic -Wextra' '-x c++ -std=c++17 -Wextra' -static; do
		if [[ $flags = *c++* ]] && ! type -P g++ >/dev/null; then
			skip "a program made with $flags" "not installed: g++"
			continue
		fi
		ok "a program made with $flags" gcc -Wall -Werror -Wno-unused-parameter $flags use.c -o use
	done
	dtrace_run -G -s my-app.d use.o
	is $status 0 "-G"
	ok "its object is named for the script" gcc use.o my-app.o -o use
	is "$(nm use | grep -c ' D myapp_.*_semaphore$')" 4 "semaphores of all probes"
	ok "the program runs" ./use
	echo 'void __dtrace_myapp___nonesuch(void); int main(void) { __dtrace_myapp___nonesuch(); return 0; }' >call.c
	gcc -c call.c
	dtrace_run -G -s my-app.d -o call-probes.o call.o
	is $status 1 "-G of a call of what is not declared: status 1"
	has "$work/err" 'provider myapp declares no probe for __dtrace_myapp___nonesuch\(\)' "its message"
	ok "and no object" test ! -e call-probes.o
	echo 'int main(void) { return 0; }' >none.c
	gcc -c none.c
	dtrace_run -G -s my-app.d -o none-probes.o none.o
	has "$work/err" 'No probe sites found for declared provider myapp' "-G of objects without probes: message"
	CC=false dtrace_run -G -s my-app.d -o failed.o use.o
	is $status 1 "-G without an assembler: status 1"
	has "$work/err" 'the assembler \(false -c\) could not make failed.o' "its message"
	dtrace_run -G -s my-app.d -o failed.o use
	has "$work/err" 'use is no object file' "-G of a program: message"
	dtrace_run -G -s my-app.d -o failed.o nonesuch.o
	has "$work/err" 'failed to open nonesuch.o' "-G of no file: message"
	gcc -Wall -Werror -D_DTRACE_VERSION=0 use.c -o use
	ok "without DTrace the probes are nothing" ./use
fi

dtrace_run -h -q
is $status 2 "-h without a program: status 2"
# A script without a provider.
printf '#!%s -qs\ntick-1s { exit(0); }\n' "$dtrace" >tool.d
dtrace_run -qs tool.d -h
is "$status" 1 "-h without a provider"
has "$work/err" "-h: '.*tool.d' declares no provider" "-h: what is wrong"
ok "-h without a provider writes nothing" test ! -e tool.h
dtrace_run -h -s my-app.d -s my-app.d
is $status 2 "-h of two scripts without -o: status 2"
dtrace_run -h -n 'provider p { probe a(int); };'
is $status 2 "-h of text without -o: status 2"
dtrace_run -h -o text.h -n 'provider p { probe a(int); };'
is $status 0 "-h of text with -o"
has text.h '^__dtrace_p___a\(int arg0\)$' "its header"
echo 'provider p { probe a(nonesuch); };' >bad.d
dtrace_run -h -x errtags -s bad.d
is $status 1 "an error in the program: status 1"
has "$work/err" '\[D_DECL_IDENT\]' "an error in the program: message"
ok "an error in the program: no header" test ! -e bad.h

dtrace_run -G
is $status 2 "-G without a program: status 2"
dtrace_run -G -x errtags -s bad.d
has "$work/err" '\[D_DECL_IDENT\]' "-G checks the program"
dtrace_run -G -n 'provider p { probe a(int); };'
is $status 2 "-G of text without -o: status 2"

done_testing
