#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip-header.t: the headers in ip:::send, compared with tcpdump.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
dtrace_start -q -n "ip:::send /$(ours 'args[2]->ip_saddr') && args[2]->ip_ver == 4/
	{ printf(\"v4 %s %s %d %d %s %d %d %d\\n\", args[4]->ipv4_saddr, args[4]->ipv4_daddr,
	    args[4]->ipv4_ttl, args[4]->ipv4_protocol, args[4]->ipv4_protostr, args[4]->ipv4_length,
	    args[4]->ipv4_ihl, args[4]->ipv4_ident); }
	ip:::send /$(ours 'args[2]->ip_saddr') && args[2]->ip_ver == 6/
	{ printf(\"v6 %s %s %d %d %s %d %x\\n\", args[5]->ipv6_saddr, args[5]->ipv6_daddr,
	    args[5]->ipv6_hlim, args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr, args[5]->ipv6_plen,
	    args[5]->ipv6_flow); }"
capture_start a
for family in 4 6; do
	traffic_run $family hello refused udp udp-closed
done
capture_stop a
dtrace_stop

from_capture_4() {
	captured_lines a "ip and $src_net" -v -t | awk '
		/^IP / { gsub(/[,()]/, ""); for (i = 1; i < NF; i++) {
			if ($i == "ttl") ttl = $(i + 1)
			if ($i == "id") id = $(i + 1)
			if ($i == "proto") { name = $(i + 1); proto = $(i + 2) }
			if ($i == "length") len = $(i + 1) }
			len = $NF; getline
			src = $1; dst = $3; sub(/:$/, "", dst)
			if (name != "ICMP") { sub(/\.[0-9]+$/, "", src); sub(/\.[0-9]+$/, "", dst) }
			print "v4", src, dst, ttl, proto, name, len, 20, id }'
}

from_capture_6() {
	captured_lines a "ip6 and $src_net" -v -t | awk '
		/^IP6 / { label = "0x0"; for (i = 1; i < NF; i++) {
			if ($i == "(flowlabel") label = $(i + 1)
			if ($i ~ /hlim$/) hlim = $(i + 1)
			if ($i == "next-header") { name = $(i + 1); proto = $(i + 2) }
			if ($i == "length:" && !len) len = $(i + 1)
			if ($i == ">") { src = $(i - 1); dst = $(i + 1) } }
			gsub(/[^0-9]/, "", proto); gsub(/[^0-9]/, "", len); gsub(/[^0-9]/, "", hlim)
			gsub(/,/, "", label); sub(/^0x0*/, "", label); if (label == "") label = "0"
			sub(/:$/, "", dst)
			if (proto != 58) { sub(/\.[0-9]+$/, "", src); sub(/\.[0-9]+$/, "", dst) }
			print "v6", src, dst, hlim, proto, name, len, label; len = "" }'
}

grep '^v4' "$work/out" | sort >"$work/dtrace4"
from_capture_4 | sort >"$work/tcpdump4"
positive "$(wc -l <"$work/tcpdump4")" "IPv4 packets were captured"
diff "$work/dtrace4" "$work/tcpdump4" >"$work/diff"
ok "IPv4 headers are as in the capture" test ! -s "$work/diff" || note_file diff "$work/diff"

grep '^v6' "$work/out" | sort >"$work/dtrace6"
from_capture_6 | sort >"$work/tcpdump6"
positive "$(wc -l <"$work/tcpdump6")" "IPv6 packets were captured"
diff "$work/dtrace6" "$work/tcpdump6" >"$work/diff"
ok "IPv6 headers are as in the capture" test ! -s "$work/diff" || note_file diff "$work/diff"

done_testing
