#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cgroup.t: -x cgroup=PATH hides traffic of other cgroups, without a predicate.
# rows: -xcgroup cgroup_level cgroup_scope
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
other=$cgroup/other
mkdir "$other"
dtrace_start -x cgroup="$other" -n 'tcp:::send { @[args[2]->ip_saddr] = count(); }' \
	-n 'udp:::send { @ports[args[4]->udp_dport] = count(); }'
capture_start a
traffic_run 4 hello udp
(
	echo $BASHPID >"$other/cgroup.procs"
	exec "$traffic" 6 "$b6" "$ns_b" "$ns_a" hello udp
) >>"$work/traffic"
capture_stop a
dtrace_stop
is "$(value "$a4")" 0 "segments of the other cgroup's client are not seen"
is "$(value "$b4")" 0 "segments of the other cgroup's server are not seen"
is "$(value "$a6")" "$(captured a "tcp and src host $a6")" "segments of the cgroup's client"
is "$(value "$b6")" "$(captured a "tcp and src host $b6")" "segments of the cgroup's server"
is "$(value 7011)" 1 "datagrams of the cgroup only"

# A cgroup includes its descendants, for sent and received packets.
mkdir -p "$other/below/it"
dtrace_start -x cgroup="$other" -n 'tcp:::send, tcp:::receive { @[probename, args[2]->ip_saddr] = count(); }
	ip:::receive { @["ip-receive", args[2]->ip_saddr] = count(); }'
capture_start a
(
	echo $BASHPID >"$other/below/it/cgroup.procs"
	exec "$traffic" 6 "$b6" "$ns_b" "$ns_a" hello
) >>"$work/traffic"
capture_stop a
dtrace_stop
rmdir "$other/below/it" "$other/below" "$other"
is "$(value ip-receive "$a6")" "$(captured a "tcp and src host $a6")" "ip:::receive of its sockets"
for name in send receive; do
	is "$(value $name "$a6")" "$(captured a "tcp and src host $a6")" \
		"tcp:::$name of a cgroup below, the client's segments"
done

# Without a socket, the cgroup is the thread's.
mkdir "$other"
dtrace_start -q -x cgroup="$other" -n 'syscall::lseek:entry /(int)arg0 == -1/ { @["calls", "entry"] = count(); }
	syscall::lseek:return /errno == EBADF/ { @["calls", "return"] = count(); } profile-97 { @["ticks", execname] = count(); }
	sched:::on-cpu { @["on", execname] = count(); } proc:::exec-success { @["exec", execname] = count(); }
	tick-10ms { n++; } END { printf("%d clock\n", n); }'
(
	echo $BASHPID >"$other/cgroup.procs"
	exec "$top/build/test-calls" 300000 7
)
"$top/build/test-calls" 300000 7
dtrace_stop
rmdir "$other"
is "$(value calls entry) $(value calls return)" "300000 300000" "calls of the cgroup's threads only"
is "$(awk '$1 == "ticks" && $2 !~ /^(test-calls|bash|cgroup.t)$/' "$work/out")" "" "profile: its threads"
positive "$(value ticks test-calls)" "profile: they run"
is "$(awk '$1 == "on" && $2 !~ /^(test-calls|bash|cgroup.t)$/' "$work/out")" "" "sched:::on-cpu: threads of the cgroup come"
positive "$(value on test-calls)" "sched:::on-cpu: they do"
is "$(value exec test-calls)" 1 "proc: a program"
positive "$(awk '$2 == "clock" { print $1 }' "$work/out")" "clocks go on"

dtrace_run -x cgroup=/nonesuch -n 'tcp:::send { }'
is $status 1 "a cgroup that is not there gives the status 1"
dtrace_run -x cgroup=/tmp -n 'tcp:::send { }'
is $status 1 "nor can a directory of another file system be one"
has "$work/err" 'failed to set -x cgroup: /tmp: not a cgroup' "the message"

done_testing
