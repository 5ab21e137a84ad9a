#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# targets.t: this machine and two guests with other kernels, whose types differ, in one program.  It runs in a
# network namespace, because rules of the machine could filter the traffic of a bridge.  The archive of the guests'
# kernels is outside.
#
# guests: none
# needs: cpio depmod modprobe python3 qemu-system-x86_64 xz /usr/share/keyrings/debian-archive-keyring.gpg curl dig dmsetup dnsmasq iperf3 losetup mawk mkfs.ext4 nc.openbsd nginx ping tcpdump
if [ -z "${TARGETS_NAMESPACE:-}" ]; then
	for version in 6.1 6.12; do
		"${0%/*}/../../tools/guest/fetch.sh" $version
	done
	exec env TARGETS_NAMESPACE=1 unshare --net bash "$0"
fi
. "${0%/*}/lib.sh"
. "${0%/*}/targets.sh"

# The guests and this machine share a network, through a bridge of this machine.
bridge=dtrb$$
net=10.78.$(($$ % 200 + 1))
ip tuntap add dev "dtro$$" mode tap 2>/dev/null || skip_all "no tap device"
ip tuntap add dev "dtrn$$" mode tap
ip link add "$bridge" type bridge || skip_all "no bridge"
trap 'ip link del "dtro$$"; ip link del "dtrn$$"; ip link del "$bridge"; cleanup' EXIT
for device in "dtro$$" "dtrn$$"; do
	ip link set "$device" up master "$bridge"
done
ip addr add "$net.1/24" dev "$bridge"
ip link set "$bridge" up

start_guest old 6.1 "dtro$$"
start_guest new 6.12 "dtrn$$"
for guest in old new; do
	ok "the guest $guest is up" guest_is_up $guest || { done_testing; exit; }
done
in_guest old "ip addr add $net.2/24 dev eth0 && ip link set eth0 up"
in_guest new "ip addr add $net.3/24 dev eth0 && ip link set eth0 up"

# trace PROGRAM: traces all three, quietly, in the background, until a program with a name of its own starts.
stopper=stop$$
cp "$top/build/test-calls" "$work/$stopper"
trace() {
	: >"$work/out"
	timeout 200 "$dtrace" -E "${targets[@]}" -q -n "BEGIN { printf(\"ready\\n\"); }
		host:syscall::lseek:entry /execname == \"$stopper\"/ { exit(0); } $1" >"$work/out" 2>"$work/err" &
	pid=$!
}

# has_begun: returns success if the run has printed "ready", or has ended.
has_begun() {
	grep -q ready "$work/out" || ! kill -0 $pid 2>/dev/null
}

# ready_then COMMAND...: waits for the line "ready" of the run, and then ends it.
ready_then() {
	if wait_for 100 has_begun && grep -q ready "$work/out"; then
		"$@"
	else
		note_file "not ready; standard error of dtrace" "$work/err"
	fi
	sleep 0.3
	"$work/$stopper" 1 1
	wait $pid
	status=$?
}

timeout 60 "$dtrace" -E "${targets[@]}" >"$work/out" 2>&1
has "$work/out" '^old +old +- +Linux-6\.1\.[^ ]+ +\+-[0-9]+ us +connected$' "-E lists a guest with 6.1"
has "$work/out" '^new +new +[^ ]+ +Linux-6\.12\.[^ ]+ +\+-[0-9]+ us +connected$' "and one with 6.12"

# Executed programs, as in the document on HyperTrace.
trace 'Linux-6.1.*:proc:::exec, Linux-6.12.*:proc:::exec
	{ printf("%s: user = %u, gid = %u: %s\n", vmname, uid, gid, stringof(args[0])); }'
both() {
	in_guest old 'for i in 1 2 3 4 5; do /bin/true; done'
	in_guest new 'for i in 1 2 3 4 5 6 7; do /bin/true; done'
}
ready_then both
is "$(grep -c '^old: user = 0, gid = 0: /bin/true$' "$work/out")" 5 "proc:::exec on 6.1: each program, by the guest's name"
is "$(grep -c '^new: user = 0, gid = 0: /bin/true$' "$work/out")" 7 "and on 6.12"

# Requests to disks by guest and stack, compared with each guest's own counts.
disk='dd if=/dev/zero of=/tmp/disk bs=1M count=8 2>/dev/null; dev=$(losetup -f --show /tmp/disk)'
count='awk "{ print \$5 + \$6 }" /sys/block/${dev#/dev/}/stat'
write='for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=$dev bs=4k count=1 seek=$i oflag=direct 2>/dev/null; done'
for guest in old new; do
	in_guest $guest "$disk; echo \$dev >/tmp/dev" >"$work/$guest.disk" 2>&1
done
trace 'old:io:::start, new:io:::start
	/args[1]->dev_statname == "loop0"/ { @s[vmname, immstack()] = count(); @n[vmname] = count(); @ = count(); }
	END { printa("%s %@d by name\n", @n); printa("%@d in all\n", @); printa(@s); }'
declare -A wrote
each_writes() {
	local guest
	for guest in old new; do
		wrote[$guest]=$(in_guest $guest "dev=\$(cat /tmp/dev); a=\$($count); $write; b=\$($count); echo \$((b - a))")
	done
}
ready_then each_writes
for guest in old new; do
	positive "${wrote[$guest]}" "the disk of $guest has been written"
	has "$work/out" "^$guest ${wrote[$guest]} by name$" "io:::start by vmname is what $guest has counted"
done
has "$work/out" "^$((wrote[old] + wrote[new])) in all$" "without vmname it is the sum"
has "$work/out" '^ +(submit_bio|__submit_bio|blk_mq_submit_bio|dm_submit_bio|submit_bio_noacct)[a-z_.]*\+0x[0-9a-f]+$' "immstack() shows functions"
is "$(awk '/^  (old|new) / { name = $1 } /^ +[0-9]+$/ { sum[name] += $1 } END { print sum["old"] + 0, sum["new"] + 0 }' "$work/out")" \
	"${wrote[old]} ${wrote[new]}" "the counts by stack are those, too"

# A ping: each of its four events has its own time.
trace "
	host:ip:::send, host:ip:::receive, old:ip:::send, old:ip:::receive
	/args[4]->ipv4_protocol == IPPROTO_ICMP && (args[2]->ip_saddr == \"$net.1\" || args[2]->ip_saddr == \"$net.2\")/
	{ printf(\"%d %s %s %s\\n\", timestamp, vmname, probename, args[2]->ip_saddr == \"$net.1\" ? \"request\" : \"reply\"); }"
# Each ping waits until the one before has been answered.
pings() {
	for ((i = 0; i < 40; i++)); do
		ping -q -c 1 -W 20 "$net.2" || echo lost
	done
}
ready_then pings >"$work/ping"
is "$(grep -c lost "$work/ping")" 0 "the guest answers"
grep -v ready "$work/out" | grep . >"$work/order"
is "$(wc -l <"$work/order")" 160 "forty pings are 160 events on two machines"
# The error of a clock shifts both events of the guest.  It is a part of the fastest round trip, which takes milliseconds
# on a busy machine.  dtrace reports a larger error, and while it corrects the clock, the clock can change between the two events.
unsure=$(sed -n 's/.*target old: times can be wrong by up to \([0-9]*\) ms$/\1/p' "$work/err")
awk -v error="${unsure:-1}e6" '{ at[$2 " " $4, ++n[$2 " " $4]] = $1 }
	END {
		for (i = 1; i <= 40; i++) {
			there = at["old request", i] - at["host request", i]
			back = at["host reply", i] - at["old reply", i]
			is_right = there + back > (error > 1e6 ? -error : 0) && there >= -error && back >= -error
			print is_right ? "right" : "wrong " i " " there " " back " of " error
		}
	}' "$work/order" >"$work/pings"
ok "requests come before replies, on both machines" test "$(grep -c right "$work/pings")" = 40 || {
	note_file "errors of dtrace" "$work/err"
	grep wrong "$work/pings" >"$work/wrong"
	note_file "pings, nanoseconds there and back" "$work/wrong"
	note_file "order of time" "$work/order"
}

# A counter and an array that three kernels share.
trace 'long n, by[string, int]; host:syscall::lseek:entry, old:syscall::lseek:entry, new:syscall::lseek:entry
	/execname == "test-calls" && (int)arg0 == -1/ { n++; by[vmname, arg1]++; last = vmname; }
	END { printf("n %d host %d old %d new %d\n", n, by["host", 1], by["old", 2], by["new", 0]); }'
three() {
	in_guest old '/main/build/test-calls 300 3' &
	in_guest new '/main/build/test-calls 600 3' &
	"$top/build/test-calls" 900 3
	wait %% && wait %-
}
ready_then three
has "$work/out" '^n 1800 host 300 old 100 new 200$' "a counter and an array of three machines are exact"

# A function and a static probe of a process in each guest, which are attached in different ways.
declare -A fires
for guest in old new; do
	# A subshell that executes nothing would keep the shell's port.
	fires[$guest]=$(in_guest $guest 'bash -c "until [ -e /tmp/go ]; do sleep 0.1; done; echo x" </dev/null 2>/dev/null |
		/main/build/test-usdt wait 30 >/tmp/fired 2>&1 & echo $!')
done
trace "old:testprov${fires[old]}:::numbers, new:testprov${fires[new]}:::numbers, old:pid${fires[old]}:a.out:fire:entry, new:pid${fires[new]}:a.out:fire:entry
	{ @[vmname, probename] = count(); } END { printa(\"%s %s %@d\n\", @); }"
lines_in_guests() {
	local guest
	for guest in old new; do
		in_guest $guest ': >/tmp/go; until grep -q enabled /tmp/fired; do sleep 0.1; done'
	done
}
ready_then lines_in_guests
is "$(grep -E ' (entry|numbers) ' "$work/out" | sort)" "new entry 30
new numbers 30
old entry 30
old numbers 30" "functions and static probes of a process in each guest are exact"

# A request and its answer, from curl in one guest through this machine's bridge to nginx in the other.
in_guest new 'mkdir -p /tmp/www /var/log/nginx /var/lib/nginx; echo hello >/tmp/www/index.html
	printf "user root; pid /tmp/nginx.pid; events {} http { access_log off; server { listen 80; root /tmp/www; } }" >/tmp/nginx.conf
	nginx -c /tmp/nginx.conf </dev/null >/tmp/nginx.log 2>&1'
: >"$work/out"
timeout 200 "$dtrace" -E "${targets[@]}" -s "$top/scripts/httphops.d" \
	-n "host:syscall::lseek:entry /execname == \"$stopper\"/ { exit(0); } BEGIN { printf(\"ready\\n\"); }" \
	80 curl nginx >"$work/out" 2>"$work/err" &
pid=$!
ask() {
	in_guest old "curl -sS -m 30 http://$net.3/ 2>&1" >"$work/answer"
}
ready_then ask
is "$(cat "$work/answer")" hello "nginx in one guest answers curl in the other"
# The second recvfrom() of nginx sees that the client has ended.
awk '$2 ~ /^[0-9]+$/ { $1 = $2 = ""; print }' "$work/out" | sed "s/^ *//; s/$$//; s/, [0-9]* bytes//" | sort -u >"$work/hops"
note "httphops.d: status $status, $(wc -l <"$work/out") lines, $(cat "$work/err")"
is "$(cat "$work/hops")" "host from dtrn answer
host from dtro request
host to dtrn request
host to dtro answer
new nginx recvfrom
new nginx writev
new tcp accepts
new tcp receive request
new tcp send answer
old curl recvfrom
old curl sendto
old tcp connects
old tcp is connected
old tcp receive answer
old tcp send request" "httphops.d shows each hop of a request and its answer"
# A record that a busy machine delays for too long is shown late, with a message.
unordered=$(awk '$2 ~ /^[0-9]+$/ { if ($1 < last) n++; last = $1 } END { print n + 0 }' "$work/out")
ok "in the order of time" test "$unordered" = 0 -o "$(grep -c ' records out of order, ' "$work/err")" -gt 0
is "$(awk '/(send|from|to dtr|receive) .*(request|answer)/ { print $3, $NF == "bytes" ? $(NF - 2) : $NF }' "$work/out" | tr -d , | uniq |
	paste -sd ' ')" "old request host request new request new answer host answer old answer" "as it goes from machine to machine"
note_file "the hops" "$work/out"

# Targets that go away.
trace 'old:syscall::getppid:entry, new:syscall::getppid:entry, new:syscall::getpid:entry { @[vmname] = count(); }'
end_old() {
	kill -KILL "$(cat "$work/old.pid")"
	wait_for 20 grep -q lost "$work/err"
}
ready_then ok "a guest that is killed is missed" end_old
is $? 0 "and the run goes on without it"
has "$work/err" '^dtrace: target old is lost: the connection has ended$' "its name is said"
trace 'new:syscall::read:entry { @ = count(); }'
killed() {
	kill -KILL "$(pgrep -f "^$dtrace -E -x target=old=unix:$work")"
}
ready_then killed
# All BPF programs in the guest have a descriptor.
programs='grep -l prog_type /proc/[0-9]*/fdinfo/* 2>/dev/null | wc -l'
none_left() {
	[ "$(in_guest new "$programs")" = 0 ]
}
ok "when dtrace is killed the guest has no programs left" wait_for 20 none_left

done_testing
