#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# list.t: dtrace -l, as a table and by provider.
# rows: -l
# guests: 6.12
. "${0%/*}/lib.sh"

names() {
	awk -v provider="$1" 'NR > 1 && $2 == provider { print $NF }' "$work/out" | sort | paste -sd ' '
}

dtrace_run -l
is $status 0 "dtrace -l ends with status 0"
is "$(head -n 1 "$work/out")" \
	"   ID   PROVIDER            MODULE                          FUNCTION NAME" "the header"
is "$(sed -n 2,4p "$work/out" | awk '{ print $1, $2, $3 }' | paste -sd ,)" \
	"1 dtrace BEGIN,2 dtrace END,3 dtrace ERROR" "the probes 1, 2, 3"
is "$(awk 'NR > 1 { print $1 }' "$work/out" | sort -n | uniq -d | head -n 3)" "" "ids are unique"
positive "$(wc -l <"$work/out")" "dtrace -l | wc -l"
providers=" $(awk '{ print $2 }' "$work/out" | uniq | sort -u | paste -sd ' ') "
for provider in PROVIDER dtrace ip tcp udp udplite syscall; do
	ok "dtrace -l | awk '{print \$2}' | uniq has $provider" test "${providers/ $provider /}" \
		!= "$providers"
done

dtrace_run -l -P tcp -P ip -P udp
is $status 0 "-l with three providers ends with status 0"
is "$(names ip)" "drop-in drop-out receive send" "the probes of ip"
is "$(names udp)" "receive send" "the probes of udp"
for name in accept-established accept-refused connect-established connect-refused connect-request \
	receive send state-change debug-input debug-output debug-user debug-drop receive-autoresize \
	siftr; do
	ok "tcp has $name" grep -Eq "^ *[0-9]+ +tcp .* $name\$" "$work/out"
done

dtrace_run -l -n 'tcp:::*-refused'
is "$(names tcp)" "accept-refused connect-refused" "-l -n with a pattern"

# Other systems have the probes of tcp in modules; descriptions with such a module match here, too.
dtrace_run -l -n 'tcp:ip::send'
is "$(names tcp)" "send" "-l -n with a provider and a module"
dtrace_run -l -m nonesuch
is "$(wc -l <"$work/out")" 0 "-l -m with a module that does not exist"

dtrace_run -lv -n ip:::send
for type in 'pktinfo_t \*' 'csinfo_t \*' 'ipinfo_t \*' 'ifinfo_t \*' 'ipv4info_t \*' 'ipv6info_t \*'; do
	has "$work/out" "args\[[0-5]\]: $type\$" "-lv ip:::send: $type"
done

# -v shows the sites of a stable probe on this kernel, or what they lack.
mkdir "$work/sites"
cat >"$work/sites/sites.d" <<'END_D'
provider sited { probe one(); probe two(); probe other(); probe none(); probe bare(); };
site sited:::one from rawtp:::sched_switch { return (); }
else from rawtp:::sched_wakeup { return (); }
site sited:::two from rawtp:::sched_wakeup, rawtp:::sched_waking { return (); }
and from syscall::read:entry { return (); }
site sited:::other from rawtp:::nonesuch { return (); }
else from rawtp:::sched_switch /args[0] == nosuchtype/ { return (); }
else from rawtp:::sched_waking { return (); }
site sited:::none from rawtp:::nonesuch { return (); }
else from fbt::nonesuch:entry { return (); }
END_D
sites() {
	awk '/Sites$/ { on = 1; printf "%s:", $1 == "Sites" ? "" : $1; next } NF == 0 { on = 0 } on { $1 = $1; printf " %s;", $0 }' "$work/out"
}
for case in "one: rawtp:::sched_switch;" \
	"two: rawtp:::sched_wakeup; rawtp:::sched_waking; syscall::read:entry;" \
	"other: rawtp:::sched_waking;" "bare: None;"; do
	dtrace_run -L "$work/sites" -lvn "sited:::${case%%:*}"
	is "$(sites)" ":${case#*:}" "-lv: the sites of a probe, ${case%%:*}"
done
dtrace_run -L "$work/sites" -lvn 'sited:::none'
ok "-lv: what its sites lack" grep -Eq '^Missing: rawtp:::nonesuch: no such probe; fbt::nonesuch:entry: .+;$' <<<"$(sites)" ||
	note "$(sites)"
dtrace_run -lvn syscall::read:entry
is "$(sites)" "" "-lv: other probes have no sites"

# Functions can be traced where the kernel allows probes.
if may_probe_functions; then
	dtrace_run -l -P fbt
	is $status 0 "dtrace -l -P fbt ends with status 0"
	between "$(wc -l <"$work/out")" 20000 1000000 "dtrace -l -P fbt | wc -l"
	between "$(grep -c tcp "$work/out")" 500 10000 "functions with tcp in their names"
else
	skip "functions of the kernel" "the kernel lets nobody probe its functions"
fi

# The module of a stable probe.
for module in kernel vmlinux genunix 'k*'; do
	dtrace_run -l -n "tcp:$module::send"
	is $status 0 "tcp:$module::send"
done
if [ ! -e /sys/module/nfs ]; then
	dtrace_run -e -n 'io:nfs::start'
	has "$work/err" 'does not match any probes: the module nfs is not loaded$' "a probe of a module that is not loaded"
fi

done_testing
