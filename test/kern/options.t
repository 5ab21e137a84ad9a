#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# options.t: effects of -x options, with each option and without it.
# rows: -xaggrate -xargref -xbpflog -xdestructive -xdump -xempty -xgrabanon -xopt -xpgmax -xpspec
# rows: -xverbose -xzdefs
# guests: none
. "${0%/*}/lib.sh"

cd "$work" || exit 1

# both OPTION WITHOUT WITH ARGUMENT...: checks the status without the option and with it.
both() {
	local option=$1 without=$2 with=$3
	shift 3
	dtrace_run "$@"
	is $status "$without" "without $option"
	dtrace_run -x "$option" "$@"
	is $status "$with" "$option"
}

: >empty.d
printf 'int* { }\n' >specs.d
both argref 1 0 -n 'BEGIN { exit(0); }' operand
both destructive 1 0 -n 'BEGIN { raise(0); exit(0); }'
both empty 1 0 -e -s empty.d
both grabanon 0 1 -n 'BEGIN { exit(0); }'
has "$work/err" 'No anonymous tracing state' "grabanon: there is none"
both pspec 1 0 -eZ -s specs.d
both zdefs 1 0 -en 'nonesuch:::'

# lines OPTION REGEX: prints how many messages match with the option.
lines() {
	dtrace_run -x "$1" -qn 'BEGIN { x = timestamp; x = 1; x = x + 2; exit(0); }'
	grep -Ec "$2" "$work/err"
}
positive "$(lines bpflog '^processed [0-9]+ insns')" "bpflog: the verifier's summary"
positive "$(lines dump=ir 'ktime_get_ns')" "dump=ir: the code"
positive "$(lines verbose 'ktime_get_ns')" "verbose: the code"
is "$(lines quiet .)" 0 "without them there is nothing"
optimized=$(lines dump=bpf .)

# The plan of a program with translators, state of the libraries, and more than one unit.
dtrace_run -x dump=plan -eSn 'tcp:::send /args[1]->cs_pid == 1/ { @[args[2]->ip_daddr] = count(); }
	syscall::read:entry { self->fd = arg0; this->s = strtok("a b", " "); p.a[1] = self->fd; }
	struct pair { int a[2]; } p;'
plan() {
	has "$work/err" "$1" "dump=plan: $2"
}
plan '^unit syscall:' "a unit of the mechanism"
plan '^    reads .*self->fd' "a variable that a unit reads"
plan '^    writes .*self->fd this->s p$' "and those that it writes, also a part of one"
plan '^    memory .* strtok$' "memory of a built-in"
plan '^    members .*csinfo_t\.cs_pid' "a member of a translated object"
plan '^    members .*ipinfo_t\.ip_daddr' "and another"
ok "dump=plan: members that no program names are not there" test "$(grep -c 'ip_saddr' "$work/err")" = 0
plan '^    [0-9]+ probe.*: state$' "a unit that keeps state of the libraries"
plan '^variable self->fd: at 0, size 8' "the layout of a variable"
plan '^aggregation @.*: map [0-9]+, 1 words, keys string:0\+' "the layout of an aggregation"
plan '^record 0 of clause' "the layout of a record"
dtrace_run -x dump=plan -eSn 'syscall::read:entry, syscall::write:entry { @[probefunc] = count(); }'
plan 'keys string:0\+8$' "names of probes have the room that they need"
dtrace_run -x dump=plan -ZeSn 'nosuch*:::probe, syscall::read:entry { @[probefunc] = count(); }'
plan 'keys string:0\+64$' "and some more where others may come later"
plan '^map [0-9]+ state: ' "maps"

dtrace_run -x opt=0 -x dump=bpf -qn 'BEGIN { x = timestamp; x = 1; x = x + 2; exit(0); }'
ok "opt=0: more instructions" test "$(wc -l <"$work/err")" -gt "$optimized"

# printa() in each of six firings prints all counts so far, or later ones if the reader is late.
six='tick-20ms { @ = count(); printa("%@d ", @); } tick-20ms /i++ == 5/ { exit(0); }'
dtrace_run -qn "$six"
is "$(head -n 1 "$work/out" | awk '{ for (i = 1; i <= NF; i++) late += $i < i || $i > 6 } END { print NF, late + 0 }')" "6 0" \
	"aggregations are read for each printa()"
dtrace_run -x aggrate=1hour -qn "$six"
ok "aggrate: not before that time is over" grep -Eqx '1 (1 )+(6 )*' <(head -n 1 "$work/out")
dtrace_run -x aggrate=1hour -qn "$six"' END { printa("end %@d", @); trunc(@); }'
is "$(sed -n 's/.*end //p' "$work/out")" 6 "... but when tracing has stopped"

# Processes that live for a while, and have ended when their addresses get names.
echo 'for i in 1 2 3; do bash -c "umask 077; sleep 0.3; :"; done' >three.sh
remembered() {
	dtrace_run -qn 'syscall::umask:entry /progenyof($target)/ { @[pid, ustack(1)] = count(); }' -c 'bash three.sh' "$@"
	grep -c 'umask+' "$work/out"
}
is "$(remembered)" 3 "processes that are gone are remembered"
between "$(remembered -x pgmax=1)" 0 2 "pgmax: not so many"

# Options with files: each value is a file, or the second value is refused.
two='BEGIN { @a[stack()] = count(); @b[stack()] = sum(2); @h = quantize(1); @i = quantize(2); exit(0); }'
for option in flame folded speedscope pprof firefox; do
	rm -f a b
	dtrace_run -q --$option @a=a -n "#pragma D option $option=@b=b
		$two"
	is "$status $(find a b -size +0 | wc -l)" "0 2" "--$option of two aggregations"
done
rm -f a b
dtrace_run -q --heat @h=a -x heat=@i=b -n "$two"
is "$status $(find a b -size +0 | wc -l)" "0 2" "--heat of two aggregations"
while read -r args; do
	# shellcheck disable=SC2086
	dtrace_run -q $args -n 'BEGIN { trace("began"); exit(0); }'
	is "$status $(cat "$work/out")" "2 " "refused: $args"
	has "$work/err" 'already set to|writes to the same file|given twice' "... with the reason"
done <<'END'
--save a --save b
-x ctypes=a -x ctypes=b
-x dtypes=a --save a
--html a -x html=b
--metrics localhost:1 --metrics localhost:2
--otlp http://localhost:1 --otlp http://localhost:2
--perfetto a --perfetto b
--chrome a --chrome b
--ctf a --ctf b
--libxo json --libxo xml
--folded @a=a --folded @b=a
--folded a --flame a
-o a -o b
END
dtrace_run -q --save a -n '#pragma D option save=b
	BEGIN { exit(0); }'
is $status 1 "a pragma cannot replace a file"
DTRACE_OPT_SAVE=$work/default DTRACE_OPT_FOLDED=$work/default2 dtrace_run -q --save chosen --folded chosen2 -n "$two"
is "$status $(echo chosen* default*)" "0 chosen chosen2 default*" "the environment has defaults"
rm -f @*
dtrace_run -q --save @a --chrome @b=c --folded @a=c -n "$two"
is "$status $(echo @*)" "0 @a @b=c" "a name with @ is a file where no aggregation can be chosen"
dtrace_run -q --save a --save a -n 'BEGIN { exit(0); }'
is $status 0 "the same value twice is one value"

done_testing
