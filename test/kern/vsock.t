#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vsock.t: an agent that listens at a vsock port, and dtrace that traces through it; both on one machine, whose
# kernel connects its own ports.
#
# guests: 6.12
. "${0%/*}/lib.sh"
insert_module vsock_loopback
# VMADDR_CID_LOCAL is 1.  Nobody listens there, and the kernel refuses the connection only if it has a transport.
timeout 20 "$dtrace" -E -x target=none=vsock:1:9999 2>&1 | grep -q 'Connection reset' ||
	skip_all "no vsock to the machine itself"

calls=$top/build/test-calls
for port in 3872 4001; do
	"$dtrace" --agent "vsock$([ $port = 3872 ] || echo :$port)" >"$work/agent.$port" 2>&1 &
	own_pids+=($!)
done
sleep 1
timeout 60 "$dtrace" -E -x target=a=vsock:1 -x target=b=vsock:1:4001 -qn 'BEGIN { printf("ready\n"); }
	a:syscall::lseek:entry, b:syscall::lseek:entry /execname == "test-calls" && (int)arg0 == -1/ { @[vmname] = count(); n++; }
	host:syscall::lseek:entry /execname == "stopper"/ { exit(0); }
	END { printf("%d\n", n); }' >"$work/out" 2>"$work/err" &
pid=$!
wait_for 40 grep -q ready "$work/out"
"$calls" 100 1
cp "$calls" "$work/stopper"
sleep 0.5
"$work/stopper" 1 1
wait $pid
is $? 0 "targets by vsock: a run"
has "$work/out" '^ +a +100$' "at the port that is ours"
has "$work/out" '^ +b +100$' "at another"
has "$work/out" '^200$' "with a variable that both have"
# On a busy machine the clocks cannot be compared exactly.
is "$(grep -vc 'times can be wrong by up to' "$work/err")" 0 "nothing else is reported"

done_testing
