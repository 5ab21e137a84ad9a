#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# lost-output.t: output that cannot be written is a message and a status other than 0, in every mode and for every kind
# of output.
#
# guests: none
# needs: strace
. "${0%/*}/lib.sh"

# lost NAME ARGUMENT...: the output of these arguments goes to a full device.
lost() {
	local name=$1
	shift
	timeout 20 "$dtrace" "$@" >/dev/full 2>"$work/err"
	is $? 1 "$name: status 1"
	ok "$name: a message" grep -qi "no space left on device" "$work/err"
}
lost -l -l
lost -lv -lv -n syscall::read:entry
lost -V -V
lost -h -h
lost --help --help
lost -e -e -v -n BEGIN
lost --complete --complete n BEG
lost "text" -qn 'BEGIN { printf("x\n"); exit(0); }'
lost "a table" -qn 'BEGIN { @ = count(); exit(0); }'
lost "json" --libxo json -qn 'BEGIN { printf("x\n"); exit(0); }'
lost "-B" -B -qn 'BEGIN { printf("x\n"); exit(0); }'
for option in -o --save --flame --html --chrome --perfetto; do
	lost $option $option /dev/full -qn 'BEGIN { @[stack()] = count(); printf("x\n"); exit(0); }'
done
lost "freopen()" -wqn 'BEGIN { freopen("/dev/full"); printf("x\n"); exit(0); }'

# exit() keeps its status; the message is there.
timeout 10 "$dtrace" -qn 'BEGIN { printf("x\n"); exit(3); }' >/dev/full 2>"$work/err"
is $? 3 "exit(3)"
has "$work/err" "failed to write to <stdout>: No space left on device" "exit(3): the message"

# A limit of the size of files does not kill.
(
	ulimit -c 0
	ulimit -f 4
	exec timeout 10 "$dtrace" -q -o "$work/limited" -n 'tick-1000hz { printf("%0100d\n", 1); } tick-300ms { exit(0); }'
) 2>"$work/err"
is $? 1 "a limit of the size of files: status 1"
has "$work/err" "failed to write to $work/limited: File too large" "... the message"
"$dtrace" -qn 'BEGIN { exit(0); }' -c 'grep SigIgn /proc/self/status' >"$work/signals"
ok "a command does not inherit an ignored SIGXFSZ" test $((0x$(awk '{ print $2 }' "$work/signals") & 1 << 24)) = 0

# A write that a signal interrupted, although the user has sent none.
timeout 15 strace -qq -o /dev/null -e trace=write -e inject=write:error=EINTR:when=1 \
	"$dtrace" -qn 'BEGIN { printf("hello\n"); exit(0); }' >"$work/out" 2>"$work/err"
status=$?
ok "EINTR: the output, or a message" test $status = 0 -a -s "$work/out" -o $status = 1 -a -s "$work/err"

# A process whose end cannot be watched does not look like one that has ended.
timeout 15 strace -qq -o /dev/null -e trace=pidfd_open -e inject=pidfd_open:error=EMFILE \
	"$dtrace" -qn 'tick-1s { exit(0); }' -p $$ >"$work/out" 2>"$work/err"
is $? 1 "a process that cannot be watched: status 1"
has "$work/err" "^dtrace: failed to grab pid $$: Too many open files$" "... the message"

# Probes that are gone because their keeper was killed.
"$top/build/test-pid" loop &
own_pids+=($!)
target=$!
timeout 60 "$dtrace" -qn 'pid$target:a.out:main:entry, BEGIN { printf("ready\n"); }' -p $target >"$work/out" 2>"$work/err" &
traced=$!
own_pids+=($traced)
wait_for 20 grep -q ready "$work/out"
ok "the keeper is killed" kill -KILL $(ps -eo pid=,ppid=,comm= | awk -v timeout=$traced '
	$3 ~ /^dtrace/ && $2 == timeout { dtrace = $1 } $3 == "uprobe-keeper" { parent[$1] = $2 }
	END { for (pid in parent) if (parent[pid] == dtrace) print pid }')
ok "a message" wait_for 10 grep -q '^dtrace: the process that keeps breakpoints has ended: ' "$work/err"
end_pid $traced

done_testing
