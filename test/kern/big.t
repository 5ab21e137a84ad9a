#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# big.t: large programs load: many clauses, keys, variables, strings, conditions, and expressions with hundreds of
# operators.  The test computes their output.
#
# guests: 6.1
. "${0%/*}/lib.sh"

# repeat N TEXT: prints TEXT for each number from 0 to N-1, which replaces every %.
repeat() {
	local i
	for ((i = 0; i < $1; i++)); do
		printf '%s' "${2//%/$i}"
	done
}

levels=2
fast_here "opt=0" && levels="0 2"

# loads TEXT PROGRAM OUTPUT: checks that the program prints OUTPUT, with optimization and without.
loads() {
	local opt
	for opt in $levels; do
		dtrace_run -q -x opt=$opt -n "$2" -c true
		is "$(cat "$work/out" "$work/err")" "$3" "$1, opt=$opt"
	done
}

# costs TEXT PROGRAM MOST: checks that the verifier processes at most MOST instructions of the program.
costs() {
	dtrace_run -q -x bpflog -n "$2" -c true
	between "$(sed -n 's/^processed \([0-9]*\) insns.*/\1/p' "$work/err" | sort -n | tail -n 1)" \
		1 "$3" "$1"
}

clauses="int n; $(repeat 100 'BEGIN /pid != %/ {
	self->x% = timestamp; @[execname, %] = count(); @q = quantize(self->x%);
	n += strlen(strjoin("clause", probename)) + %; } ')
	END { trunc(@); trunc(@q); printf(\"%d\", n); }"
loads "100 clauses" "$clauses" "$((100 * 11 + 4950))"
costs "100 clauses are verified once, not once for each predicate" "$clauses" 90000

dtrace_run -q -n "tick-100hz { $(repeat 40 '@a%[1] = quantize(1); ') exit(0); }
	END { $(repeat 40 'trunc(@a%); ') printf(\"done\"); }"
is "$(cat "$work/out" "$work/err")" "done" "40 aggregations get their first keys in one firing of tick"

loads "34 sizes of aggregations" "BEGIN { $(repeat 34 '@a%[pid] = lquantize(%, 0, % + 3, 1); ') $(repeat 34 'trunc(@a%); ') printf(\"done\"); }" "done"

loads "40 keys" "BEGIN { a[$(repeat 39 '%, ')39] = 7; printf(\"%d\", a[$(repeat 39 '%, ')39]);
	@[$(repeat 39 'pid + %, ')39] = count(); trunc(@); }" 7

loads "strings as keys" "BEGIN { @[$(repeat 15 'strjoin("k%", execname), ')1] = count(); trunc(@);
	printf(\"ok\"); }" ok

loads "500 operators" "int x; BEGIN { x = 3; } BEGIN { printf(\"%d\", $(repeat 500 'x * % + ')0); }" \
	$((3 * 124750))

loads "operators nested 200 deep" "int x; BEGIN { x = 1; }
	BEGIN { printf(\"%d\", $(repeat 200 '(% + x * ')0$(repeat 200 ')')); }" \
	"$((199 * 200 / 2))"

loads "200 conditional expressions" "int x; BEGIN { x = 50; } BEGIN { printf(\"%d\",
	$(repeat 200 '(x > % ? x : %) + ')0); }" $((50 * 50 + (50 + 199) * 150 / 2))

loads "60 long strings" "$(repeat 60 'string s%; ') BEGIN { $(repeat 60 "s% = strjoin(\"$(printf 'x%.0s' {1..200})\", lltostr(%)); ") }
	BEGIN { printf(\"%d\", $(repeat 60 'strlen(s%) + ')0); }" $((60 * 200 + 10 + 100))

loads "300 variables of each kind" "BEGIN { $(repeat 300 'g% = %; self->s% = % + 1; this->t% = % + 2; ') }
	BEGIN { $(repeat 300 'g% += self->s% + this->t%; ') printf(\"%d\", g299); }" $((3 * 299 + 3))

# More maps than a program may use.  Linux 6.1 has memory for some tens of new rows in one firing.
n=200
[ -z "${GUEST:-}" ] || n=30
loads "$n associative arrays and twice as many aggregations" "BEGIN { $(repeat $n 'a%[%, pid] = %; @k%[%] = max(%);
	@n% = sum(%); ') } BEGIN { printf(\"%d\", $(repeat $n 'a%[%, pid] + ')0);
	printa(\" %@d %@d\", @n0, @n$((n - 1))); printa(\" %d %@d\", @k$((n - 1)));
	$(repeat $n 'trunc(@k%); trunc(@n%); ') }" "$((n * (n - 1) / 2)) 0 $((n - 1)) $((n - 1)) $((n - 1))"

n=1100
[ -z "${GUEST:-}" ] || n=200
loads "a record of $n strings" "string f; BEGIN { $(repeat $n 'printf("BEGIN"); trace(strjoin("", "%")); ') }" \
	"$(repeat $n BEGIN%)"

# Each program is "BEGIN" and a number: of one digit, two, and so on.
n=1500
[ -z "${GUEST:-}" ] || n=300
digits=$(repeat $n %)
loads "$n statements with strings" "int n; BEGIN { $(repeat $n 'n += strlen(strjoin(probename, "%")); ') printf(\"%d\", n); }" \
	$((n * 5 + ${#digits}))

loads "100 conditions" "int n, x; BEGIN { x = 0x55555555; }
	BEGIN { $(repeat 100 'if (x >> (% & 31) & 1) { n += %; } else { n--; } ') printf(\"%d\", n); }" \
	$((50 * 49 - 50))

loads "30 flags of a clause" "int n, x; BEGIN { x = 0x2aaaaaaa; }
	BEGIN { $(repeat 30 'if (x >> % & 1) { this->f% = 1; } ') }
	BEGIN { $(repeat 30 'if (this->f%) { n += %; } ') printf(\"%d\", n); }" $((15 * 15))

done_testing
