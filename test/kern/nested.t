#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# nested.t: probes that interrupt each other: a profile interrupt inside a packet inside a system call, on all CPUs.
# Every record carries the same number several times, and a string made in scratch memory; they must not be mixed
# with bytes of another record.  Missing records must be reported.
#
# guests: 6.1
# needs: iperf3 ping
. "${0%/*}/lib.sh"

net_up
iperf_start b 5201

# Strings and numbers of each firing, from three kinds of context.
saddr=$(ours 'args[2]->ip_saddr')
dtrace_start -q -b 16m -n "
syscall::sendto:entry, syscall::sendmsg:entry, syscall::write:entry, syscall::read:entry, syscall::recvfrom:entry
/execname == \"iperf3\"/
{ this->n = timestamp; @calls[\"calls\"] = count();
  printf(\"S %d %d %s %s\n\", this->n, this->n, lltostr(this->n), strjoin(lltostr(this->n), \"\")); }
ip:::send, ip:::receive /$saddr/
{ this->n = timestamp; @packets[\"packets\"] = count();
  printf(\"P %d %d %s %s\n\", this->n, this->n, lltostr(this->n), strjoin(lltostr(this->n), \"\")); }
profile:::profile-4001hz /execname == \"iperf3\"/
{ this->n = timestamp; @ticks[\"ticks\"] = count();
  printf(\"T %d %d %s %s\n\", this->n, this->n, lltostr(this->n), strjoin(lltostr(this->n), \"\")); }"
on a iperf3 -c "$b4" -t 4 -P 2 -M 200 >"$work/iperf"
is $? 0 "iperf3"
sleep 0.2
kill -INT "$dtrace_pid"
wait_for 60 is_gone "$dtrace_pid"
wait "$dtrace_pid"
is $? 0 "dtrace ends with status 0"

is "$(awk '/^[SPT] / && ($2 != $3 || $2 != $4 || $2 != $5 || NF != 5)' "$work/out" | wc -l)" 0 \
	"no record is mixed with another"
positive "$(grep -c '^S ' "$work/out")" "system calls are recorded"
positive "$(grep -c '^P ' "$work/out")" "packets are recorded"
positive "$(grep -c '^T ' "$work/out")" "profile interrupts are recorded"
records=$(grep -c '^[SPT] ' "$work/out")
counted=$(($(value calls) + $(value packets) + $(value ticks)))
lost=$(awk '/ drops? on CPU/ { for (i = 1; i < NF; i++) if ($(i + 1) ~ /^drops?$/) sum += $i } END { print sum + 0 }' "$work/err")
note "$records records, $counted counted, $lost drops reported"
# A clause whose record does not fit has no effect, so it does not count either.
is "$records" "$counted" "every firing that is counted has its record"
is "$(grep -vc -E ' drops? on CPU|nested firings? missed|matched' "$work/err")" 0 "nothing else is reported"

done_testing
