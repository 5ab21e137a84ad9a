#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# source.t: -d prints the clauses of a program with predicates instead of if statements, and its output is a program
# that does the same.
# rows: -d
# guests: none
. "${0%/*}/lib.sh"

cat >"$work/if.d" <<'END'
#pragma D option quiet
BEGIN
/pid > 0/
{
	w = 1; x = 1; this->s = "a\n\"b\""; @a[x, "k"] = count();
	if (x == 1 && (x + 2) * 3 > 4) {
		printf("%d\n", x++);
		if (!x) { trace(-1); } else { trace(sizeof (int)); }
	} else
		exit(1);
	y = curthread->pid == ((struct task_struct *)curthread)->pid;
	z[1, "q"] = x ? (xlate <psinfo_t> (curthread)).pr_pid == pid : 2;
	printf("%s %d %d %d\n", this->s, y, z[1, "q"], -(-x) - (3 - 1));
	self->v = x-- + --x;
}
BEGIN, tick-1s { w += ~x << 2; printf("%d %d %d", self->v, w, (x = 7, x)); if (0) { trace(9); } exit(5); }
END

dtrace_run -des "$work/if.d"
is $status 0 "-d -e compiles and prints"
is "$(head -n 13 "$work/out")" ":::BEGIN
{
	this->%condition_0 = (pid > 0) ? 1 : 0;
}

:::BEGIN
/this->%condition_0/
{
	w = 1;
	x = 1;
	this->s = \"a\\012\\\"b\\\"\";
	@a[x, \"k\"] = count();
}" "the clauses"
is "$(grep -c '^/this->%condition_0 && this->%condition_1 && !this->%condition_2/$' "$work/out")" 1 \
	"else of a nested if"

sed 's/%condition/condition/g' "$work/out" >"$work/again.d"
dtrace_run -s "$work/if.d"
first="$status $(cat "$work/out")"
dtrace_run -qs "$work/again.d"
is "$status $(cat "$work/out")" "$first" "the printed program does the same"
is "${first:0:3}" "5 1" "and what it should"

# The programs of test/exec that end, need no made-up firings, and have neither declarations nor options, which -d
# does not print.
same=0
for f in "$top"/test/exec/*.d; do
	grep -qE '^[a-z][^#]*;|^(inline|translator|provider|struct|union|enum|firing) ' "$f" && continue
	grep -qE '^/\* @|^#pragma D option [^q]' "$f" && continue
	grep -q 'exit(' "$f" || continue
	timeout 10 "$dtrace" -des "$f" 2>/dev/null | sed 's/%condition/condition/g' >"$work/again.d"
	timeout 10 "$dtrace" -qs "$f" 2>&1 | grep -v "^dtrace: .target is 0" >"$work/first"
	timeout 10 "$dtrace" -qs "$work/again.d" >"$work/second" 2>&1
	cmp -s "$work/first" "$work/second" && same=$((same + 1)) || is "${f##*/}" "" "what -d prints does the same"
done
between "$same" 50 1000 "programs of which the printed form does the same"

dtrace_run -dqn 'BEGIN { exit(3); }'
is "$status $(head -n 1 "$work/out")" "3 :::BEGIN" "-d without -e goes on to trace"

done_testing
