# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
#
# lib.sh: functions for kernel tests.  A test sources this file and ends with done_testing.
#
# A test has a network of its own: two namespaces, a (client) and b (server), joined by a veth pair.  The addresses
# are 10.77.N.1 and .2, fd77:N::1 and ::2; no other run uses the same N.  All its traffic runs in a cgroup of its
# own.  Tracing sees the whole machine, so every D program of a test has a predicate on these addresses (see ours),
# on pids or on the cgroup.  However a test ends, its processes are killed and its objects are removed.
#
# The output is TAP: "ok 1 - text", "not ok 2 - text" with "# " lines that give the reason, and the plan.
set -u
export LC_ALL=C
# Python programs write output at once: a kill loses none, and their children do not print it again.
export PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# The same order as in check.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH

top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
dtrace=${DTRACE:-$top/build/dtrace}
traffic=$top/build/test-traffic
work=$(mktemp -d)
tests=0
failures=0
own_pids=()
# Timeouts end commands that hang.  They are longer by this factor, for machines where other programs load the processors, or
# where the processors are emulated.
SLOWER=$((${GUEST:+5} + 3))
net_number=
cgroup=

# ---- reporting

# ok TEXT COMMAND...: check TEXT, which passes if the command succeeds.
ok() {
	local text=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		echo "ok $tests - $text"
		return 0
	fi
	failures=$((failures + 1))
	echo "not ok $tests - $text"
	return 1
}

note() {
	printf '# %s\n' "${1//$'\n'/$'\n# '}"
}

note_file() {
	[ -s "$2" ] && { echo "# $1:"; head -n "${3:-40}" "$2" | sed 's/^/#   /'; }
}

# is GOT WANT TEXT: checks that two strings are equal.
is() {
	ok "$3" test "$1" = "$2" || note "got:  $1"$'\n'"want: $2"
}

# language_stacks FILE: prints the frames of the language of each stack on a line.
language_stacks() {
	awk '/^$/ || /^ *[0-9]+$/ { if (line != "") print line; line = ""; next }
		/^ / && !/`|^ *0x|^ *\(not unwound/ { sub(/^ */, ""); line = line (line == "" ? "" : "|") $0 }
		END { if (line != "") print line }' "$1"
}

# between GOT LOW HIGH TEXT: checks that a number is in a range.
between() {
	ok "$4" test "${1:-x}" -ge "$2" -a "${1:-x}" -le "$3" 2>/dev/null ||
		note "got: $1, want: $2..$3"
}

# positive GOT TEXT: checks that a count is above 0, so that a comparison of two counts means something.
positive() {
	ok "$2" test "${1:-0}" -gt 0 2>/dev/null || note "got: $1"
}

# has FILE REGEX TEXT: checks that a line of the file matches.
has() {
	ok "$3" grep -Eq -- "$2" "$1" || { note "no line matches $2"; note_file "$1" "$1"; }
}

# Tests skip because of the kernel, the machine or GUEST, never because of the output of dtrace.  run.sh counts and
# lists skipped checks.

# skip_all WHY: skips the whole file.
skip_all() {
	echo "1..0 # skip $1"
	exit 0
}

# skip TEXT WHY: skips some checks of the file, named by TEXT.
skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # skip $2"
}

# fast_here TEXT: returns success if there is time for the tests TEXT: outside of guests, and with --kernels.
fast_here() {
	[ -z "${GUEST:-}" ] || [ -n "${KERNELS:-}" ] || { skip "$1" "takes an emulated processor minutes"; return 1; }
}

# compiler_here TEXT: returns success if there is a compiler for the tests TEXT.  No guest has one.
compiler_here() {
	type -P gcc >/dev/null || { skip "$1" "no compiler"; return 1; }
}

# narrow_here TEXT: returns success if the kernel runs 32-bit programs, for the tests TEXT.  The kernel of a virtual machine
# may refuse them.
narrow_here() {
	"$top/build/test-pid-narrow" 2>/dev/null
	[ $? != 126 ] || { skip "$1" "the kernel runs no programs of 32 bits"; return 1; }
}

# kernel_lacks NAME: ends a file whose trial failed, with a message in $work/trial.  The file is skipped if the
# kernel has no NAME, otherwise it fails.
kernel_lacks() {
	grep -Eq 'not supported|Unknown device type' "$work/trial" && skip_all "this kernel has no $1"
	ok "a trial of $1" false
	note_file trial "$work/trial"
	done_testing
}

# lockdown_is LEVEL: returns success if the kernel is locked down at this level (none, integrity, confidentiality).
lockdown_is() {
	local level
	mkdir -p "$work/security"
	mount -t securityfs none "$work/security" 2>/dev/null
	level=$(cat "$work/security/lockdown" 2>/dev/null)
	umount "$work/security" 2>/dev/null
	# A kernel without this file locks nothing.
	[[ ${level:-[none]} = *"[$1]"* ]]
}

# may_probe_functions: returns success if the kernel lets you place a probe at a function.
may_probe_functions() {
	{ echo "p:dtr$$/probe vfs_read" >>/sys/kernel/tracing/kprobe_events; } 2>/dev/null || return
	echo "-:dtr$$/probe" >>/sys/kernel/tracing/kprobe_events
}

done_testing() {
	if [ $failures -gt 0 ]; then
		note_file "standard output of the last dtrace" "$work/out"
		note_file "standard error of the last dtrace" "$work/err"
	fi
	echo "1..$tests"
	exit $((failures > 0))
}

# ---- cleaning up

end_pid() {
	kill -"${2:-TERM}" "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

cleanup() {
	local pid
	# The shell would report every process that is killed here.
	exec 2>/dev/null
	for pid in "${own_pids[@]}"; do
		kill -KILL "$pid" 2>/dev/null
	done
	if [ -n "$cgroup" ]; then
		# kill(1) can be missing on a machine that runs only the demonstration.  A process can fork while others end.
		for _ in {1..20}; do
			while read -r pid; do
				kill -KILL "$pid"
			done <"$cgroup/cgroup.procs"
			rmdir "$cgroup" && break
			sleep 0.1
		done
		wait
	fi
	if [ -n "$net_number" ]; then
		ip netns del "$ns_a"
		ip netns del "$ns_b"
	fi
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# ---- the network and the cgroup

cgroup_up() {
	local root
	root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$root" ] || { echo "Bail out! no cgroup2 is mounted"; exit 1; }
	cgroup=$root/dtr$$
	mkdir "$cgroup"
}

# Takes the first number whose namespace does not exist.
net_claim() {
	local n=$(($$ % 200 + 1)) tries
	for tries in {1..50}; do
		if ip netns add "dtr$n-a" 2>/dev/null; then
			net_number=$n
			return
		fi
		n=$((n % 200 + 1))
	done
	echo "Bail out! no network namespace after $tries tries"
	exit 1
}

net_names() {
	ns_a=dtr$net_number-a
	ns_b=dtr$net_number-b
	a4=10.77.$net_number.1
	b4=10.77.$net_number.2
	dead4=10.77.$net_number.99
	group4=239.77.$net_number.1
	a6=fd77:$net_number::1
	b6=fd77:$net_number::2
	dead6=fd77:$net_number::99
	group6=ff15::77:$net_number
	src_net="src net (10.77.$net_number.0/24 or fd77:$net_number::/64)"
}

# Turns off address probing and solicitations, so that all packets in a namespace are the test's own.
net_quiet() {
	local side
	for side in a b; do
		# shellcheck disable=SC2016
		in_net $side bash -c 'for what in all default; do
			echo 0 >/proc/sys/net/ipv6/conf/$what/accept_dad
			echo 0 >/proc/sys/net/ipv6/conf/$what/router_solicitations
			# Announce group memberships at once, not within seconds.
			echo 10 >/proc/sys/net/ipv6/conf/$what/mldv2_unsolicited_report_interval
			echo 10 >/proc/sys/net/ipv4/conf/$what/igmpv3_unsolicited_report_interval
		done'
	done
}

net_side() {
	local ns=$1 dev=$2 ip4=$3 ip6=$4 peer4=$5 peer6=$6 peer=$7
	ip -n "$ns" link set lo up
	ip -n "$ns" addr add "$ip4/24" dev "$dev"
	ip -n "$ns" addr add "$ip6/64" dev "$dev" nodad
	ip -n "$ns" link set "$dev" up
	ip -n "$ns" route add 239.77.0.0/16 dev "$dev"
	# Neighbour discovery would send packets at unpredictable times.
	ip -n "$ns" neigh add "$peer4" lladdr "$peer" dev "$dev" nud permanent
	ip -n "$ns" neigh add "$peer6" lladdr "$peer" dev "$dev" nud permanent
	ip -n "$ns" neigh add "$dead4" lladdr 02:00:00:00:00:99 dev "$dev" nud permanent
	ip -n "$ns" neigh add "$dead6" lladdr 02:00:00:00:00:99 dev "$dev" nud permanent
}

# net_up: makes the two namespaces and the cgroup; sets $a4 $b4 $a6 $b6, $ns_a $ns_b and so on.
net_up() {
	cgroup_up
	net_claim
	net_names
	ip netns add "$ns_b"
	net_quiet
	ip link add dta address 02:00:00:00:00:01 netns "$ns_a" type veth \
		peer name dtb address 02:00:00:00:00:02 netns "$ns_b"
	net_side "$ns_a" dta "$a4" "$a6" "$b4" "$b6" 02:00:00:00:00:02
	net_side "$ns_b" dtb "$b4" "$b6" "$a4" "$a6" 02:00:00:00:00:01
	on a ping -q -c 1 -W 5 "$b4" >/dev/null
	on a ping -q -c 1 -W 5 "$b6" >/dev/null
}

# ns_of a|b: prints the name of the namespace.
ns_of() {
	case $1 in
	a) echo "$ns_a" ;;
	b) echo "$ns_b" ;;
	esac
}

# stack_of a|b: prints the number of the namespace, as in if_ipstack and in the counters of mib.
stack_of() {
	# shellcheck disable=SC2012
	ls -Li "/run/netns/$(ns_of "$1")" | awk '{ print $1 }'
}

# in_net a|b COMMAND...: runs the command in the namespace, but not in the cgroup.
in_net() {
	local ns
	ns=$(ns_of "$1")
	shift
	nsenter --net="/run/netns/$ns" -- "$@"
}

# on a|b COMMAND...: runs the command in the namespace and in the cgroup.
on() (
	ns=$(ns_of "$1")
	shift
	echo $BASHPID >"$cgroup/cgroup.procs" || exit
	exec nsenter --net="/run/netns/$ns" -- "$@"
)

# start a|b COMMAND...: does the same in the background and sets $started to the process id.
start() {
	local ns
	ns=$(ns_of "$1")
	shift
	(
		echo $BASHPID >"$cgroup/cgroup.procs" || exit
		exec nsenter --net="/run/netns/$ns" -- "$@"
	) >>"$work/background" 2>&1 &
	started=$!
	own_pids+=("$started")
}

# ours EXPRESSION: prints a D condition: this string is an address of the test's network.
ours() {
	printf '((%s >= "10.77.%s." && %s < "10.77.%s/") || (%s >= "fd77:%s:" && %s < "fd77:%s;"))' \
		"$1" "$net_number" "$1" "$net_number" "$1" "$net_number" "$1" "$net_number"
}

# wait_for SECONDS COMMAND...: repeats the command until it succeeds.  SECONDS are for a quiet machine.  Pauses become
# longer, because each turn takes processor time from the awaited work.
wait_for() {
	local end=$((SECONDS + $1 * SLOWER)) ms=20 pause
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { note "still not: $*" >&2; return 1; }
		printf -v pause '0.%03d' $ms
		sleep "$pause"
		ms=$((ms < 250 ? ms * 3 / 2 : ms))
	done
}

# insert_module NAME: inserts the module and its dependencies.
insert_module() {
	local file
	modprobe "$1" 2>/dev/null && return
	for file in /guest/later/*.ko; do
		insmod "$file" 2>/dev/null
		[[ $file != *-"$1".ko ]] || return 0
	done
}

# ---- traffic

# traffic_run 4|6 CASE...: makes traffic from a to b; lines with the process ids go to $work/traffic.
traffic_run() {
	local family=$1 to=$b4
	shift
	[ "$family" = 6 ] && to=$b6
	traffic_to "$family" "$to" "$ns_b" "$ns_a" "$@"
}

# traffic_local 4|6 CASE...: makes traffic inside a, over the loopback device, to a's own address.
traffic_local() {
	local family=$1 to=$a4
	shift
	[ "$family" = 6 ] && to=$a6
	traffic_to "$family" "$to" "$ns_a" "$ns_a" "$@"
}

# traffic_to 4|6 ADDRESS SERVER-NETNS CLIENT-NETNS CASE...
traffic_to() {
	(
		echo $BASHPID >"$cgroup/cgroup.procs" || exit
		exec "$traffic" "$@"
	) >>"$work/traffic" 2>"$work/traffic.err"
	ok "traffic: IPv$1 to $2: ${*:5}" test $? = 0 || note_file traffic "$work/traffic.err"
}

# traffic_pid CASE server|client|worker: prints the process id in the last run of the case.
traffic_pid() {
	awk -v name="$1" -v side="$2" '$1 == name {
		for (i = 2; i < NF; i++)
			if ($i == side)
				pid = $(i + 1)
	} END { print pid }' "$work/traffic"
}

# listens a|b -t|-u PORT: returns success if a process has the port.
listens() {
	in_net "$1" ss -Hln "$2" "sport = :$3" | grep -q .
}

# nginx_start a|b PORT: serves /small (100 bytes) and /large (1000000 bytes).
nginx_start() {
	local dir=$work/nginx
	mkdir -p "$dir/html"
	head -c 100 /dev/zero >"$dir/html/small"
	head -c 1000000 /dev/zero >"$dir/html/large"
	# The workers run as another user and need access to the files.
	chmod 755 "$work" "$dir" "$dir/html"
	cat >"$dir/conf" <<-CONF
	daemon off;
	user root;
	worker_processes 1;
	pid $dir/pid;
	error_log $dir/error;
	events { worker_connections 64; }
	http {
		access_log off;
		client_body_temp_path $dir/body;
		proxy_temp_path $dir/proxy;
		fastcgi_temp_path $dir/fastcgi;
		uwsgi_temp_path $dir/uwsgi;
		scgi_temp_path $dir/scgi;
		server { listen $2; listen [::]:$2; root $dir/html; }
	}
	CONF
	start "$1" nginx -e "$dir/error" -c "$dir/conf"
	wait_for 20 listens "$1" -t "$2" || { note "nginx does not listen"; return 1; }
}

# dns_start a|b: starts a name server on port 53 that knows one.example.test.
dns_start() {
	start "$1" dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv --no-hosts \
		--user=root --group= --pid-file= --log-facility="$work/dnsmasq" --no-dhcp-interface=dtb \
		--address=/one.example.test/192.0.2.1 --address=/one.example.test/2001:db8::1
	wait_for 20 listens "$1" -u 53 || { note "dnsmasq does not listen"; return 1; }
}

# iperf_start a|b PORT
iperf_start() {
	start "$1" iperf3 -s -p "$2"
	wait_for 20 listens "$1" -t "$2" || { note "iperf3 does not listen"; return 1; }
}

# nc_start a|b PORT [OPTION...]: listens with netcat and discards the received data.
nc_start() {
	local side=$1 port=$2 kind=-t option
	shift 2
	for option; do
		[ "$option" = -u ] && kind=-u
	done
	start "$side" nc -n -l -k "$@" -p "$port"
	wait_for 20 listens "$side" $kind "$port" || { note "nc does not listen"; return 1; }
}

# ---- independent counts

# capture_start a|b|lo: starts tcpdump on the veth end in a or b, or on the loopback device in a.
capture_start() {
	local device=dt$1 side=$1
	[ "$1" = lo ] && device=lo side=a
	: >"$work/tcpdump.$1"
	nsenter --net="/run/netns/$(ns_of "$side")" -- tcpdump -i "$device" -n -U --immediate-mode \
		-Z root -B 16384 -s 128 -w "$work/capture.$1" 2>"$work/tcpdump.$1" &
	eval "capture_pid_$1=$!"
	own_pids+=("$!")
	if ! wait_for 20 grep -q 'listening on' "$work/tcpdump.$1"; then
		ok "tcpdump starts" false
		note_file tcpdump "$work/tcpdump.$1"
	fi
}

# An interrupt of tcpdump would lose packets that wait in the kernel's buffer.
capture_stop() {
	local pid="capture_pid_$1"
	pid=${!pid}
	wait_for 20 capture_caught_up "$1" "$pid" || ok "tcpdump catches up" false
	end_pid "$pid" INT
	if ! grep -q '^0 packets dropped by kernel' "$work/tcpdump.$1"; then
		ok "tcpdump loses nothing" false
		note_file tcpdump "$work/tcpdump.$1"
	fi
}

# On SIGUSR1, tcpdump prints how many packets it has captured, and how many there were.  On loopback each packet
# counts twice, outgoing and incoming, and tcpdump captures it once.
capture_caught_up() {
	local had all
	sleep 0.15
	kill -USR1 "$2"
	sleep 0.05
	read -r had all < <(sed -n 's/^tcpdump: \([0-9]*\) packet.* captured, \([0-9]*\) packet.*/\1 \2/p' \
		"$work/tcpdump.$1" | tail -n 1)
	[ "$1" = lo ] && all=$((all / 2))
	[ "${had:-none}" = "$all" ]
}

# captured a|b|lo FILTER: prints how many packets of the capture match.
captured() {
	captured_lines "$1" "$2" --count | awk '{ print $1 }'
}

# captured_lines a|b|lo FILTER [OPTION...]: prints the packets.
captured_lines() {
	local side=$1 filter=$2
	shift 2
	tcpdump -n "$@" -Z root -r "$work/capture.$side" "$filter" 2>"$work/tcpdump.err" ||
		cat "$work/tcpdump.err" >&2
}

# payload_sum a|b|lo FILTER: prints the bytes that TCP segments or UDP datagrams carry, without headers.
payload_sum() {
	captured_lines "$1" "$2" -q -t | sed -n 's/.*\(tcp\|length\) \([0-9]*\).*/\2/p' |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# nstat_value a|b NAME: prints the absolute value of a counter of the namespace.
nstat_value() {
	in_net "$1" nstat -asz "$2" | awk -v name="$2" '$1 == name { print $2 }'
}

# retransmits SIDE COMMAND...: runs a command that connects to an address without an answer, until a segment is sent again.
retransmits() {
	local side=$1 before pid
	before=$(nstat_value "$side" TcpRetransSegs)
	on "$@" &
	pid=$!
	wait_for 20 eval '[ "$(nstat_value '"$side"' TcpRetransSegs)" -gt '"$before"' ]'
	kill "$pid"
	wait "$pid"
}

# sent_again: prints how many segments either side has retransmitted, including window probes.  They happen when time is
# short.
sent_again() {
	local name sum=0 side
	for name in TcpRetransSegs TcpExtTCPWinProbe; do
		for side in a b; do
			sum=$((sum + $(nstat_value $side $name)))
		done
	done
	echo $sum
}

# flags_filter 4|6 NAME: prints the capture filter for segments by kind.
flags_filter() {
	local flags='tcp[13]'
	[ "$1" = 6 ] && flags='ip6 and ip6[6] = 6 and ip6[53]'
	case $2 in
	syn) echo "$flags & 0x12 = 0x02" ;;
	synack) echo "$flags & 0x12 = 0x12" ;;
	rst) echo "$flags & 0x04 != 0" ;;
	fin) echo "$flags & 0x01 != 0" ;;
	esac
}

# ---- dtrace

# is_tracing PID: returns success if PID or one of its descendants is a dtrace that has attached all probes and waits for
# records.
is_tracing() {
	local name='' child children=()
	{
		read -r name <"/proc/$1/comm"
		if [[ $name = dtrace* ]]; then
			# The file has no end of line.
			read -r name <"/proc/$1/wchan"
			[[ $name = *poll* ]]
			return
		fi
		read -r -a children <"/proc/$1/task/$1/children"
	} 2>/dev/null
	for child in "${children[@]}"; do
		is_tracing "$child" && return
	done
	return 1
}

traces() {
	local lines
	mapfile lines <"$work/out"
	[[ ${lines[*]} = *READY* ]] || ! kill -0 "$dtrace_pid"
}

# dtrace_start ARGUMENT...: starts dtrace in the background, until dtrace_stop, and returns when it traces.  Its
# output is in $work/out and $work/err.
dtrace_start() {
	: >"$work/out"
	# The shell makes background commands ignore SIGINT, and dtrace keeps that setting.
	env --default-signal=INT "$dtrace" "$@" -n 'dtrace:::BEGIN { printf("READY\n"); }' \
		</dev/null >"$work/out" 2>"$work/err" &
	dtrace_pid=$!
	own_pids+=("$dtrace_pid")
	wait_for 30 traces
	if ! grep -q READY "$work/out"; then
		ok "dtrace starts tracing" false
		note_file "standard error of dtrace" "$work/err"
		end_pid "$dtrace_pid" KILL
		return 1
	fi
	# BEGIN runs a moment before the other probes are active.
	wait_for 1 eval "is_tracing $dtrace_pid || is_gone $dtrace_pid" || true
}

# dtrace_stop [SITE]: interrupts dtrace, and checks its status and messages, as dtrace_is_quiet does.
dtrace_stop() {
	local status
	sleep 0.2
	kill -INT "$dtrace_pid" 2>/dev/null
	wait_for 20 is_gone "$dtrace_pid" || kill -KILL "$dtrace_pid"
	wait "$dtrace_pid" 2>/dev/null
	status=$?
	ok "dtrace ends with status 0" test $status = 0 || note "status $status"
	ok "dtrace reports no drops, errors or faults" dtrace_is_quiet "$@"
}

is_gone() {
	local state
	! kill -0 "$1" 2>/dev/null || ! read -r state 2>/dev/null <"/proc/$1/stat" || [[ ${state##*) } = Z* ]]
}

# dtrace_is_quiet [SITE]: returns success if nothing was lost, skipped, damaged or refused: all messages are about
# the start and the end of tracing.  SITE is a place of the kernel that an interrupt for another process can interrupt.
# dtrace misses that nested firing and reports it.
dtrace_is_quiet() {
	local said
	said=$(sed -zE "s/dtrace: (description|script) '[^']*' matched [0-9]+ probes?\n//g
		s/dtrace: pid [0-9]+ has exited\n//g
		s/dtrace: cannot enable ([a-z]+:[a-z]*:[a-z_]*:[a-z-]+(, )?)+: (with -x cgroup, )?this kernel has none of (its|their) sites; dtrace -lv lists them\n//g" "$work/err")
	[ -z "${1:-}" ] || said=$(grep -vE "nested firings? missed at $1\$" <<<"$said")
	[ -z "$said" ] || { note "$said"; return 1; }
}

# dtrace_run ARGUMENT...: runs dtrace to its end, for at most 60 seconds on a quiet machine; the status is in
# $status.
dtrace_run() {
	timeout -k 5 $((SLOWER * 60)) "$dtrace" "$@" </dev/null >"$work/out" 2>"$work/err"
	status=$?
	return $status
}

# promptly: from now on dtrace runs before other programs, but not the programs that it starts.  On a busy machine, the
# name of a function can be gone before dtrace gets a processor to read it, and then dtrace says so.
promptly() {
	chrt -R -f 1 true 2>/dev/null || return 0
	printf '#!/bin/sh\nexec chrt -R -f 1 %s "$@"\n' "$dtrace" >"$work/dtrace"
	chmod +x "$work/dtrace"
	dtrace=$work/dtrace
}

# In some virtual machines the agent, process 1, is hidden from tracing.  Tracing misses switches from its threads,
# and interrupts of them.
switches_of_init() {
	cat /proc/1/task/*/status 2>/dev/null | awk '/ctxt_switches/ { n += $2 } END { print n }'
}

# undisturbed COMMAND...: repeats the command until process 1 has not run meanwhile.
undisturbed() {
	local before tries
	for tries in {1..30}; do
		before=$(switches_of_init)
		"$@"
		[ "$(switches_of_init)" = "$before" ] && return
	done
	note "process 1 is never quiet"
}

# value KEY...: prints the number with this key, from an aggregation in the output; 0 if the key is missing.
value() {
	awk -v keys="$*" 'BEGIN { n = split(keys, key, " ") } NF == n + 1 {
		for (i = 1; i <= n; i++)
			if ($i != key[i])
				next
		sum += $NF
	} END { print sum + 0 }' "$work/out"
}

# distribution_total KEY: prints the sum of the counts in the distribution below this key.
distribution_total() {
	awk -v key="$1" 'NF == 1 { inside = $1 == key } inside && /\|/ { sum += $NF } END { print sum + 0 }' \
		"$work/out"
}

# distribution_count KEY VALUE: prints the count in one row of that distribution.
distribution_count() {
	awk -v key="$1" -v row="$2" 'NF == 1 { inside = $1 == key }
		inside && /\|/ && $1 == row { sum += $NF } END { print sum + 0 }' "$work/out"
}
