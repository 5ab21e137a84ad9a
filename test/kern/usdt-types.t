#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usdt-types.t: the types of static probes' arguments come from the notes, and probes keep their names.  Constants
# have the size and sign in the note, places of one probe differ, and probes may have names of other providers.
#
# guests: none
. "${0%/*}/lib.sh"

compiler_here "notes of static probes" || done_testing

# The notes are written here, because the header of dtrace -h converts arguments to the declared types.
cat >"$work/note.h" <<'END'
#define NOTE(name, args, ...) __asm__ volatile("790: nop\n.pushsection .note.stapsdt, \"\", %%note\n.balign 4\n" \
	".4byte 792f - 791f, 794f - 793f, 3\n791: .asciz \"stapsdt\"\n792: .balign 4\n793: .8byte 790b, 0, 0\n" \
	".asciz \"noted\", \"" name "\", \"" args "\"\n794: .balign 4\n.popsection" : : __VA_ARGS__)
END
cat >"$work/noted.c" <<'END'
#include "note.h"
int main(void)
{
	volatile unsigned char a = 200;
	volatile long b = 5000000000L;
	volatile int c = -5;
	volatile unsigned d = 4000000000U;
	volatile unsigned short e = 60000;

	NOTE("constants", "1@%0 2@%1 4@%2 -1@%0 -2@%1 -4@%2 -8@%3",
	     "n"((signed char)200), "n"((short)40000), "n"((int)4000000000U), "n"(-7));
	NOTE("any", "1@%0", "m"(a));
	NOTE("any", "-8@%0", "m"(b));
	NOTE("any", "-4@%0", "m"(c));
	NOTE("positive", "1@%0", "m"(a));
	NOTE("positive", "4@%0 2@%1", "m"(d), "m"(e));
	NOTE("sign", "4@%0", "m"(d));
	NOTE("sign", "-4@%0", "m"(c));
	NOTE("BEGIN", "1@%0", "m"(a));
	NOTE("END", "1@%0", "m"(a));
	NOTE("ERROR", "1@%0", "m"(a));
	NOTE("tick-5", "1@%0", "m"(a));
	NOTE("profile__97hz", "1@%0", "m"(a));
	return 0;
}
END
gcc -O1 -o "$work/noted" "$work/noted.c"

dtrace_run -qn 'noted$target:::constants { printf("%d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6);
	printf("%d %d %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5], args[6]);
	printf("%d %d\n", arg0 == 200, args[5] < 0); }' -c "$work/noted"
line="200 40000 4000000000 -56 -25536 -294967296 -7"
is "$(sed '/^$/d' "$work/out")" "$line"$'\n'"$line"$'\n'"1 1" "constants"

dtrace_run -qn 'noted$target:::any,noted$target:::positive,noted$target:::sign {
	printf("%s %d %d\n", probename, arg0, arg1); }
	noted$target:::any { printf("args %d\n", args[0]); }
	noted$target:::positive { printf("args %d %d\n", args[0], args[1]); @[args[0]] = count(); }
	noted$target:::sign { printf("args %d\n", args[0]); }
	END { printa("key %d\n", @); }' -c "$work/noted"
is "$(sed '/^$/d; /^key/d' "$work/out")" "any 200 0
args 200
any 5000000000 0
args 5000000000
any -5 0
args -5
positive 200 0
args 200 0
positive 4000000000 60000
args 4000000000 60000
sign 4000000000 0
args 4000000000
sign -5 0
args -5" "places of different types"
is "$(grep ^key "$work/out")" $'key 200\nkey 4000000000' "keys of places of different types"

for name in BEGIN END ERROR tick-5 profile-97hz; do
	dtrace_run -qn 'noted$target:noted:main:'$name' { printf("%s %d\n", probename, arg0); }' -c "$work/noted"
	is "$(sed '/^$/d' "$work/out")" "$name 200" "$name: by its full name"
	dtrace_run -qn 'noted*:noted:main:'$name' { printf("%s %d\n", probename, arg0); } BEGIN { trace("ours"); }' -c "$work/noted"
	is "$(sed '/^$/d' "$work/out")" "ours$name 200" "$name: of all processes"
done
dtrace_run -ln 'noted$target:::BEGIN' -c "$work/noted"
is "$(grep -c ' BEGIN$' "$work/out")" 1 "a listing has the probe of the program alone"

# A note of another user can name a place where the kernel refuses a breakpoint.  The others are traced.
cat >"$work/place.c" <<'END'
#include <unistd.h>
#define PLACE(prov, insns) __asm__ volatile("jmp 789f\n790: " insns "\n789:\n.pushsection .note.stapsdt, \"\", %note\n.balign 4\n" \
	".4byte 792f - 791f, 794f - 793f, 3\n791: .asciz \"stapsdt\"\n792: .balign 4\n793: .8byte 790b, 0, 0\n" \
	".asciz \"" prov "\", \"tick\", \"\"\n794: .balign 4\n.popsection")
int main(void)
{
#ifdef BAD
	PLACE("placed", "int3");
	PLACE("placed", "hlt");
	for (;;)
		pause();
#else
	for (;;) {
		__asm__ volatile("790: nop\n.pushsection .note.stapsdt, \"\", %note\n.balign 4\n"
			".4byte 792f - 791f, 794f - 793f, 3\n791: .asciz \"stapsdt\"\n792: .balign 4\n793: .8byte 790b, 0, 0\n"
			".asciz \"placed\", \"tick\", \"\"\n794: .balign 4\n.popsection");
		usleep(1000);
	}
#endif
}
END
gcc -O1 -o "$work/placed" "$work/place.c"
gcc -O1 -DBAD -o "$work/misplaced" "$work/place.c"
chmod 755 "$work" "$work/misplaced"
chown 65534 "$work/misplaced"
"$work/placed" &
own_pids+=($!)
setpriv --reuid=65534 --clear-groups "$work/misplaced" &
own_pids+=($!)
misplaced=$!
wait_for 20 grep -q /misplaced "/proc/$misplaced/maps"
dtrace_run -qn 'placed*:::tick { n++; } tick-5s { exit(0); } placed*:::tick /n == 20/ { printf("%d", n); exit(0); }'
is "$status $(cat "$work/out")" "0 20" "a wildcard traces what can be traced"
has "$work/err" "[12] probes? in files of uid 65534 ignored: uprobe of misplaced:main:tick: the kernel cannot put a breakpoint" \
	"... and counts what cannot"
dtrace_run -qn 'placed$target:::tick { exit(0); }' -p $misplaced
is $status 1 "nothing is left: an error"

done_testing
