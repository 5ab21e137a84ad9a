#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016
#
# dwatch-profiles.t: profiles of dwatch compile, and show the actions of processes made for them; ancestors and
# cgroups of processes.
#
# guests: 6.12
# needs: ping
. "${0%/*}/dwatch.sh"

# profile NAME REGEX TEXT ARGUMENT...: checks that a line of the output matches.
profile() {
	local name=$1 regex=$2 text=$3
	shift 3
	watch -X "$name" "$@" --
	has "$work/out" "$regex" "$name: $text"
}

# Guests are slow: only profiles that read structures of the kernel are compiled, and none is run.
names=$(cd "$top/dwatch/profiles" && echo *)
fast_here "the other profiles" ||
	names="coredump hang io lock priv proc sched sched-latency sched-queue tcp-retransmit tcp-state-change udp"
for name in $names; do
	dwatch_run -e -X "$name"
	is $status 0 "$name compiles" || note_file errors "$work/err"
done
fast_here "what profiles print" || done_testing

net_up
end='kill -0 $$'
act "sh -c '$end; $end'"
watch -R -N 1 -z 'sh -c' kill
is "$(sed -E '1d; /^$/d; s/ [0-9]{5,} / PID /' "$work/out" | tail -n 2 | paste -sd '|')" \
	"     \\-+= PID 0.0 sh act|       \\-+= PID 0.0 sh -c $end; $end" "-R"
is "$(grep -cE '^( -|( {3}| {5}| {7})\\-)\+= [0-9]{5,} 0\.0 ' "$work/out")" 4 "-R: four generations"

act "sh -c 'exec ls /dev/null' >/dev/null" "ls /dev/null >/dev/null" "/nonexistent/x 2>/dev/null"
sees "0.0 sh[PID]: sh -c exec ls /dev/null|0.0 sh[PID]: ls /dev/null|0.0 sh[PID]: ls /dev/null" \
	"execve: the caller and the new program" execve

act "echo \$\$ >$cgroup/cgroup.procs" "$end"
sees "0.0 sh[PID]: sh act" "-j with a cgroup" -j "${cgroup##*/}" kill
act "$end"
sees "" "-j with a cgroup where it is not" -j "${cgroup##*/}" kill

watch -X kill --
is "$(events | grep -c '^0.0 sh\[PID\]: no signal (0) to [0-9]*$')" 1 "kill: signal 0"

act 'mkdir -p one/two' ': >one/two/file' 'chmod 640 one/two/file' 'cat /nonexistent/x 2>/dev/null' \
	'echo text >one/two/file' 'sleep 0.2' '(exec one/two/file) 2>/dev/null' \
	"sh -c 'kill -USR1 \$\$' 2>/dev/null" "sh -c 'kill -SEGV \$\$' 2>/dev/null" "sh -c 'exit 3'"
profile chmod ' chmod\[[0-9]+\]: 640 one/two/file$' "mode and path"
profile open ' sh\[[0-9]+\]: one/two/file$' "the path"
profile open ' sh\[[0-9]+\]: \.\.\./file$' "-K" -K 1
profile errno-ENOENT ' cat\[[0-9]+\]: openat: ENOENT \(2\)$' "one error"
is "$(grep -c '(' "$work/out")" "$(grep -c 'ENOENT (2)$' "$work/out")" "no others"
profile namei-enoent ' cat\[[0-9]+\]: openat /nonexistent/x: ENOENT$' "the path and the error"
is "$(events | tr '|' '\n' | grep -vc ': ENOENT$')" 0 "namei-enoent: nothing else"
profile namei ' chmod\[[0-9]+\]: execve [/a-z]*/chmod$' "a program that was run"
ok "namei: no error" test ! -s "$work/err" || note_file errors "$work/err"
profile kill ' sh\[([0-9]+)\]: SIGUSR1 \(10\) to \1$' "signal and process"
profile nanosleep ' sleep\[[0-9]+\]: 0\.20000000[0-9]$' "the time"
profile write ' sh\[[0-9]+\]: write fd 1 5 bytes: "text\\n"$' "the text"
profile proc-exec ' chmod\[[0-9]+\]: [/a-z]*/chmod: chmod 640 one/two/file$' "program and arguments"
profile proc-exec-failure ' sh\[[0-9]+\]: one/two/file: EACCES$' "the error"
profile proc-exit ' sh\[[0-9]+\]: exit 3$' "the status"
has "$work/out" ' sh\[[0-9]+\]: SIGSEGV 11$' "proc-exit: the signal"
profile proc-create ' sh\[[0-9]+\]: pid [0-9]+$' "the child"
profile proc-signal-fatal ' sh\[[0-9]+\]: SIGUSR1 \(10\)$' "the signal"
profile proc-signal-send ' sh\[([0-9]+)\]: SIGUSR1 \(10\) to sh\[\1\]$' "signal and process"
profile proc-signal-discard ' sh\[[0-9]+\]: SIGCHLD \(17\) to dtrace\[[0-9]+\] ignored$' "signal and process"
profile coredump ' sh\[[0-9]+\]: SIGSEGV \(11\) (dumps core|does not dump core)$' "the signal"
is "$(events | tr '|' '\n' | grep -c .)" 1 "coredump: nothing else"
DWATCH_SLOW_MS=150 profile slow-syscall ' sleep\[[0-9]+\]: clock_nanosleep [0-9]{3,}\.[0-9]{3} ms$' "the time"
DWATCH_HANG_MS=150 profile hang ' [0-9.]+ sh\[([0-9]+)\]: tid \1 slept [0-9]{3,} ms, waked by sleep\[' "the waker"
act "$top/build/test-procs wait"
profile proc-signal-clear ' test-procs\[([0-9]+)\]: SIGTERM \(15\) from \1$' "signal and sender"
act 'sleep 0.5'
profile systop '^sleep +[a-z0-9_]+ +[0-9]+$' "a table"

# shellcheck disable=SC2154
run_traffic="$traffic 4 $b4 $ns_b $ns_a"
# net_profile NAME CASE FIELD REGEX TEXT: FIELD is an address of the test's network.
net_profile() {
	dwatch_run -q -X "$1" -t "$(ours "$3")" -- -c "$run_traffic $2"
	has "$work/out" "$4" "$1: $5"
}
net_profile tcp hello 'args[2]->ip_saddr' \
	": connect-request $a4:[0-9]+ -> $b4:7001 0 bytes SYN\$" "a connection"
has "$work/out" ": accept-established $a4:[0-9]+ -> $b4:7001 0 bytes ACK\$" "tcp: accepted"
net_profile tcp-io hello 'args[2]->ip_saddr' ": send $a4:[0-9]+ -> $b4:7001 100 bytes PUSH ACK\$" "a segment"
# A segment belongs to the process that owns the socket, whichever process runs when it comes.
client=$(awk '$1 == "hello" { for (i = 2; i < NF; i++) if ($i == "client") print $(i + 1) }' "$work/out")
server=$(awk '$1 == "hello" { for (i = 2; i < NF; i++) if ($i == "server") print $(i + 1) }' "$work/out")
positive "$client" "tcp-io: the client"
is "$(grep -cE ": send $a4:[0-9]+ -> " "$work/out")" "$(grep -cE "\[$client\]: send $a4:[0-9]+ -> " "$work/out")" \
	"tcp-io: what the client sends is the client's"
is "$(grep -cE ": receive $a4:[0-9]+ -> " "$work/out")" "$(grep -cE "\[$server\]: receive $a4:[0-9]+ -> " "$work/out")" \
	"tcp-io: what comes for the server is the server's"
dwatch_run -q -X tcp-io -k tserver -t "execname == \"tserver\" && $(ours 'args[2]->ip_saddr')" -- -c "$run_traffic hello"
has "$work/out" "tserver\\[[0-9]+\\]: receive $a4:[0-9]+ -> $b4:7001 " "tcp-io -k: the name of who has the socket"
net_profile tcp-refused refused 'args[2]->ip_saddr' ": connect-refused $b4:7003 -> $a4:[0-9]+ " "a refusal"
net_profile tcp-state-change hello 'args[3]->tcps_raddr' \
	": $a4:[0-9]+ $b4:7001 state-syn-sent -> state-established\$" "a state"
net_profile ip hello 'args[2]->ip_saddr' ": receive dtb $a4 -> $b4 TCP [0-9]+ bytes\$" "a packet"
net_profile udp udp 'args[2]->ip_saddr' ": send $a4:[0-9]+ -> $b4:7011 [0-9]+ bytes\$" "a datagram"

done_testing
