#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fbt-guest.sh [VERSION]: time to begin and to end counting all functions of the kernel by name, compared with
# bpftrace.  It runs in a guest with Debian's kernel VERSION (6.12).
#
# Each program first counts one function, which gives the time to start, and then all.  When it traces, it runs a
# command that prints the time: the time before is attaching, the time after is printing and detaching.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
home=$top/build/bench/bpftrace

# The script that runs in the guest.
in_guest() {
	cat <<'EOF'
export BPFTRACE_MAX_PROBES=1000000 BPFTRACE_MAP_KEYS_MAX=100000 LC_ALL=C
echo 'echo "on $EPOCHREALTIME"' >/tmp/now


# measure NAME COMMAND...: sets $attach and $detach to its seconds.
measure() {
	local name=$1 before=$EPOCHREALTIME on after
	shift
	"$@" -c "/usr/bin/bash /tmp/now" >/tmp/out 2>/tmp/err
	after=$EPOCHREALTIME
	on=$(sed -n 's/^on //p' /tmp/out)
	[ -n "$on" ] || { echo "$name: failed: $(tail -n 1 /tmp/err)"; attach=0 detach=0; return; }
	attach=$(echo "$before $on" | awk '{ print $2 - $1 }')
	detach=$(echo "$on $after" | awk '{ print $2 - $1 }')
	printf '%-40s %8.2f s to attach %8.2f s to end %8d functions seen\n' "$name" "$attach" "$detach" \
		"$(grep -cE '^@\[|^ .* [0-9]+$' /tmp/out)"
}

echo "$(uname -r): $(wc -l </sys/kernel/tracing/available_filter_functions) functions"
measure "dtrace, one function" build/dtrace -qn 'fbt::vfs_read:entry { @[probefunc] = count(); }'
measure "bpftrace, one function" bpftrace -e 'kprobe:vfs_read { @[func] = count(); }'
for round in 1 2 3; do
	measure "dtrace fbt:::entry" build/dtrace -qn 'fbt:::entry { @[probefunc] = count(); }'
	ours="$attach $detach"
	measure "bpftrace kprobe:*" bpftrace -e 'kprobe:* { @[func] = count(); }'
	echo "$ours $attach $detach" | awk '$3 && $4 && $1 { printf "bpftrace / dtrace: %.1f to attach, %.1f to end\n", $3 / $1, $4 / $2 }'
done
EOF
}

"$top/test/bench/bpftrace.sh"
GUEST_TREE=$home/tree GUEST_MEMORY=${GUEST_MEMORY:-4096} exec "$top/test/kern/guest.sh" "${1:-6.12}" "$(in_guest)"
