#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cgroup.t: -x cgroup=PATH hides traffic of other cgroups, without a predicate.
# rows: -xcgroup cgroup_level cgroup_path cgroup_root cgroup_root_level cgroup_scope
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

# A service that restarts: its cgroup is removed with its parent, and made again at the same path.
# calls_in CGROUP N: a program that makes N calls in the cgroup.
calls_in() {
	(
		echo $BASHPID >"$1/cgroup.procs"
		exec "$top/build/test-calls" "$2" 7
	)
}
mkdir -p "$other/pod/service"
ln -s "$other/pod" "$work/link"
dtrace_start -q -x cgroup="$work/link/service" -n 'syscall::lseek:entry /(int)arg0 == -1/ { @calls = count(); }
	tcp:::receive { @["received", args[2]->ip_saddr] = count(); }
	cgroup:skb::ingress /args[1]->sk_protocol == IPPROTO_UDP/ { @["datagrams", "udp"] = count(); } END { printa("calls %@d\n", @calls); }'
calls_in "$other/pod/service" 1000
rmdir "$other/pod/service" "$other/pod"
mkdir -p "$other/pod/service/below" "$other/service"
calls_in "$other/pod/service/below" 200
calls_in "$other/service" 10000
calls_in "$other/pod" 10000
rmdir "$other/pod/service/below" "$other/pod/service" "$other/service"
mkdir "$other/pod/service" "$other/pod/serviced" "$other/pod/Xservice"
calls_in "$other/pod/service" 30
calls_in "$other/pod/serviced" 10000
calls_in "$other/pod/Xservice" 10000
capture_start a
traffic_run 4 hello udp
(
	echo $BASHPID >"$other/pod/service/cgroup.procs"
	exec "$traffic" 6 "$b6" "$ns_b" "$ns_a" hello udp
) >>"$work/traffic"
capture_stop a
dtrace_stop
is "$(value calls)" 1230 "a cgroup that is made again: calls of each, and of no other"
is "$(value received "$a6")" "$(captured a "tcp and src host $a6")" "its sockets receive"
is "$(value datagrams udp)" "$(captured a "udp and ip6")" "a hook of a cgroup, without the library: its sockets only"

# A path in a bind mount or in a cgroup namespace shows only a part of the hierarchy.
mkdir -p "$other/pod/service/below" "$work/bind" "$work/own"
for way in bind own; do
	: >"$work/$way.out"
	cat >"$work/$way.sh" <<-EOF
		mount --make-rprivate /
		[ $way = own ] || mount --bind "$other" "$work/bind"
		[ $way = bind ] || mount -t cgroup2 none "$work/own"
		exec "$dtrace" -q -x cgroup="$work/$way/pod/service" -o "$work/$way.out" -n 'BEGIN { printf("READY\n"); }
			syscall::lseek:entry /(int)arg0 == -1/ { @ = count(); } END { printa("calls %@d\n", @); }'
	EOF
	(
		[ $way = bind ] || echo $BASHPID >"$other/cgroup.procs"
		exec env --default-signal=INT unshare -m $([ $way = bind ] || echo -C) bash "$work/$way.sh"
	) &
	own_pids+=("$!")
	wait_for 20 grep -q READY "$work/$way.out"
	calls_in "$other/pod/service/below" 100
	calls_in "$other/pod" 10000
	rmdir "$other/pod/service/below" "$other/pod/service"
	mkdir -p "$other/pod/service/below"
	calls_in "$other/pod/service/below" 20
	kill -INT "$!"
	wait "$!"
	is "$(sed -n 's/^calls //p' "$work/$way.out")" 120 "a cgroup named in a mount of a part of the hierarchy ($way)"
done
find "$other" -depth -type d -exec rmdir {} +

dtrace_run -x cgroup=/nonesuch -n 'tcp:::send { }'
is $status 1 "a cgroup that is not there gives the status 1"
dtrace_run -x cgroup=/tmp -n 'tcp:::send { }'
is $status 1 "nor can a directory of another file system be one"
has "$work/err" 'failed to set -x cgroup: /tmp: not a cgroup' "the message"

done_testing
