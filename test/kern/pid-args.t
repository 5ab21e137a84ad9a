#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-args.t: args[] of process functions, from the debug information of a program that calls them with known values
# (pid-args.c).
#
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-pid-args
n=3

dtrace_run -qn 'pid$target:a.out:sizes:entry { printf("sizes %d %d %d %u %d %d %d %d\n", args[0], args[1], args[2],
		args[4], args[5], args[6], args[7], args[8]); }
	pid$target:a.out:sizes:return { printf("sizes returns %d\n", args[1]); }' -c "$program $n"
for ((i = 0; i < n; i++)); do
	has "$work/out" "^sizes $((-i)) $((65000 + i)) -3 9223372036854775808 1 -300 $i $((-i))\$" \
		"numbers of all sizes, in registers and on the stack: $i"
done
is "$(grep -c '^sizes returns -7$' "$work/out")" $n "a result"

dtrace_run -qn 'pid$target:a.out:follow:entry {
		printf("%d %s %s %d\n", args[0]->value, stringof(args[0]->text), stringof(args[0]->part.name), args[1]);
		printf("next %d %s %d %d %d\n", args[0]->next->value, stringof(args[0]->next->part.name),
			args[0]->next->colour, args[0]->next->half[2], args[0]->next->next == NULL);
		self->from = args[0]; }
	pid$target:a.out:follow:return { printf("bits %d %d, moved %d\n", self->from->part.low, self->from->part.high,
		self->from->next == args[1]); }' -c "$program $n"
is "$(grep -c '^1 the first inner first 1$' "$work/out")" $n "members"
is "$(grep -c '^next 2 inner second 5 3 1$' "$work/out")" $n "what a member points to"
is "$(grep -c '^bits 6 30, moved 1$' "$work/out")" $n "a pointer that was kept, bit-fields, and a result"

dtrace_run -qn 'pid$target:a.out:follow:return { print(*args[1]); exit(0); }' -c "$program 1"
has "$work/out" '^    int value = 0x2$' "print(): a number"
has "$work/out" 'char \[16\] name = \[ "inner second" \]' "print(): text of a structure in it"
has "$work/out" 'unsigned int high :5 = 0x11$' "print(): a bit-field"
has "$work/out" 'double weight = \+2.5' "print(): a floating-point number"
has "$work/out" 'colour = GREEN$' "print(): an enumerator"

dtrace_run -qn 'pid$target:a.out:build:entry { printf("build %d %d\n", args[0], args[2] == NULL); }' -c "$program $n"
for ((i = 0; i < n; i++)); do
	has "$work/out" "^build $i 1\$" "parameters around a large structure, with a large result: $i"
done
dtrace_run -qn 'pid$target:a.out:split:entry { @[args[0], args[2]] = count(); }
	END { printa("split %d %d %@d\n", @); }' -c "$program $n"
is "$(grep split "$work/out" | paste -sd ,)" "split 0 3 1,split 1 3 1,split 2 3 1" "parameters around a structure in registers"
dtrace_run -x errtags -n 'pid$target:a.out:follow:entry { trace(args[0]->nosuch); }' -c "$program $n"
has "$work/err" '\[D_TYPE_MEMBER\]' "a member that is not there"

dtrace_run -lvn 'pid$target:a.out:build:entry, pid$target:a.out:follow:return' -c "$program 1"
is "$(sed -n 's/^.*args\[[0-9]\]: //p' "$work/out" | xargs -d '\n' printf '%s; ')" \
	'int; node_t; userland struct opaque *; int; userland const node_t *; ' "a listing tells types"

# ---- debug information in a separate file, and none

if compiler_here "debug information of its own file"; then
	objcopy --only-keep-debug "$program" "$work/args.debug"
	objcopy --strip-debug --add-gnu-debuglink="$work/args.debug" "$program" "$work/args"
	mkdir "$work/.debug"
	mv "$work/args.debug" "$work/.debug"
	dtrace_run -qn 'pid$target:a.out:follow:entry { printf("%d\n", args[0]->next->value); }' -c "$work/args $n"
	is "$(grep -c '^2$' "$work/out")" $n "a separate file"
	rm -r "$work/.debug"

	# Other formats give the same types.  If CTF crashes the child of dtrace that reads it, there are no types.
	types() {
		dtrace_run -qn 'pid$target:a.out:follow:return { print(*args[1]); }
			pid$target:a.out:build:entry { printf("build %d %d\n", args[0], args[2] == NULL); }' -c "$1 1"
		sed 's/0x[0-9a-f]*[0-9a-f]\{6\}$/ADDRESS/' "$work/out"
		dtrace_run -lvn 'pid$target:a.out:build:entry, pid$target:a.out:follow:return' -c "$1 1"
		sed -n 's/^.*args\[[0-9]\]: /type /p' "$work/out"
	}
	types "$program" >"$work/dwarf"
	is "$(grep -c '^type ' "$work/dwarf")" 5 "types by DWARF"
	for format in ctf btf; do
		gcc -O2 -g$format -rdynamic -o "$work/$format" "$top/test/kern/pid-args.c"
		types "$work/$format" >"$work/types"
		ok "the same by ${format^^}" cmp "$work/dwarf" "$work/types"
	done
	objcopy --dump-section .ctf="$work/section" "$work/ctf"
	for ((i = 0; i < 20; i++)); do
		printf 'bad%d' $i | dd of="$work/section" bs=1 seek=$((16 + 37 * i)) conv=notrunc status=none
		objcopy --update-section .ctf="$work/section" "$work/ctf" "$work/bad"
		dtrace_run -qn 'pid$target:a.out:follow:entry { @ = count(); } pid$target:a.out:follow:return { print(*args[1]); }' \
			-c "$work/bad 1"
		[ "$status" -le 1 ] || break
	done
	is "$i" 20 "CTF that is not right"
	dtrace_run -x errtags -n 'pid$target:a.out:follow:entry { trace(args[0]); }' -c "$work/args $n"
	has "$work/err" '\[D_ARGS_IDX\]' "no debug information"
fi

if type -P gcc >/dev/null && ! type -P g++ >/dev/null; then
	skip "C++" "not installed: g++"
elif compiler_here "C++"; then
	cat >"$work/classes.cc" <<'END'
namespace shop {
struct Base { int id; virtual ~Base() {} };
struct Item : Base { static int all; double price; long count; __attribute__((noipa)) long take(const Item &other, int n); };
int Item::all;
long Item::take(const Item &other, int n) { return count - other.count - n + all; }
}
int main() { shop::Item a, b; a.id = 7; a.count = 10; b.id = 8; b.count = 3; return a.take(b, 4) != 3; }
END
	g++ -g -O1 -o "$work/classes" "$work/classes.cc"
	dtrace_run -qn 'pid$target:a.out:shop??Item??take*:entry { printf("%d %d %d %d\n", args[0]->id, args[0]->count,
			args[1]->count, args[2]); }
		pid$target:a.out:shop??Item??take*:return { printf("%d\n", args[1]); }' -c "$work/classes"
	is "$(xargs <"$work/out")" "7 10 3 4 3" "C++: the object, members of what it is made of, a reference"
fi

done_testing
