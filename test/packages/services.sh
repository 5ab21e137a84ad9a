#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# services.sh: run by run.sh as root of a Debian that systemd has started, with the package dtrace: tests its
# services.
set -u
export LC_ALL=C
. "${0%/*}/checks.sh"
scripts=/etc/dtrace/exporter
recorder=/etc/dtrace/recorder
snapshots=/var/log/dtrace-recorder/ticks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

explain() {
	systemctl --no-pager --full status 'dtrace-*' | tail -n 20
}

# soon COMMAND...: repeats the command until it succeeds.
soon() {
	for _ in {1..300}; do
		"$@" && return
		sleep 0.1
	done
	return 1
}

# serves PORT SAMPLE
serves() {
	curl -s "127.0.0.1:$1/metrics" | grep -F "$2"
}

# catches SERVICE: returns success if SIGUSR1 (bit 9, signal(7)) does not end its process.
catches() {
	local caught
	caught=$(sed -n 's/^SigCgt:\s*//p' "/proc/$(main_pid "$1")/status")
	[ $((0x${caught:-0} & 0x200)) != 0 ]
}

# has_ticks N: asks for a snapshot, unless N files have records.  A snapshot can come before the first record.
has_ticks() {
	[ "$(grep -l tick "$snapshots"/trace-* 2>/dev/null | wc -l)" -ge "$1" ] || { systemctl reload dtrace-recorder@ticks; return 1; }
}

# is_now SERVICE STATE
is_now() {
	[ "$(systemctl is-active "$1")" = "$2" ]
}

main_pid() {
	systemctl show -P MainPID "$1"
}

has_restarted() {
	local pid
	pid=$(main_pid "$1")
	[ "$pid" != 0 ] && [ "$pid" != "$2" ]
}

mkdir -p $scripts
echo 'BEGIN { @begun["a"] = count(); }' >$scripts/first.d
echo 'BEGIN { @begun["b"] = count(); }' >$scripts/second.d
echo 'DTRACE_OPT_METRICS=localhost:9470' >$scripts/second.conf
echo 'BEGIN { @begun[ = count(); }' >$scripts/broken.d

ok "systemd knows the exporter" systemctl cat dtrace-exporter@first
ok "it is enabled and begins" systemctl enable --now dtrace-exporter@first
ok "serves what its script counts" soon serves 9464 'dtrace_begun_total{key0="a"} 1'
ok "another one has an address of its own" systemctl enable --now dtrace-exporter@second
ok "from its file" soon serves 9470 'dtrace_begun_total{key0="b"} 1'
pid=$(main_pid dtrace-exporter@first)
[ "$pid" = 0 ] || kill -KILL "$pid"
ok "one that was killed is restarted" soon has_restarted dtrace-exporter@first "$pid"
ok "and serves again" soon serves 9464 'dtrace_begun_total{key0="a"} 1'
ok "systemctl stop ends it" timeout 20 systemctl stop dtrace-exporter@first
ok "well" is_now dtrace-exporter@first inactive
ok "the other one goes on" serves 9470 dtrace_begun_total
systemctl start dtrace-exporter@broken
ok "what is wrong with a script is in the journal" soon sh -c "journalctl -u dtrace-exporter@broken | grep 'line 1: syntax error'"
systemctl stop dtrace-exporter@broken
ok "without a script there is nothing to do" systemctl start dtrace-exporter@none
ok "so nothing runs" is_now dtrace-exporter@none inactive
mkdir -p $recorder
echo 'tick-10hz { printf("tick %d\n", ++n); }' >$recorder/ticks.d
ok "the recorder begins" systemctl start dtrace-recorder@ticks
ok "and catches the signal" soon catches dtrace-recorder@ticks
ok "it is reloaded when it runs" soon has_ticks 1
ok "another snapshot has another file" soon has_ticks 2
ok "no record is in two files" test -z "$(sort $snapshots/trace-* | grep tick | uniq -d)"
ok "it ends" timeout 20 systemctl stop dtrace-recorder@ticks
ok "well, too" is_now dtrace-recorder@ticks inactive
ok "the agent has no port here" systemctl enable --now dtrace-agent
ok "so it does not run" is_now dtrace-agent inactive
ok "removing the package" apt-get -qq remove dtrace
ok "ends what runs" soon is_now dtrace-exporter@second inactive
echo "services in $(. /etc/os-release && echo "$VERSION_CODENAME"): $passed passed, $failed failed"
