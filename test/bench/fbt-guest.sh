#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fbt-guest.sh [VERSION]: how long it takes to begin and to end counting all functions of the kernel by
# name, in a guest with Debian's kernel VERSION (6.12), beside bpftrace there.  The package of this
# machine's distribution is unpacked into build/bench, never installed.
#
# Each program begins with one function, which is what it takes to start; then with all.  Once it traces
# it runs a command that tells the time: what is before is attaching, what is behind is printing and
# taking back.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
home=$top/build/bench/bpftrace

# Packages that it needs and this machine has not.
packages() {
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
		--no-replaces --no-enhances bpftrace | grep '^[a-z]' |
		grep -vxFf <(dpkg-query -W -f '${Package}\n')
}

# unpack: bpftrace and all its libraries, as a tree.
unpack() {
	local deb file
	[ -e "$home/tree/usr/bin/bpftrace" ] && return
	rm -rf "$home"
	mkdir -p "$home/debs"
	# shellcheck disable=SC2046
	(cd "$home/debs" && apt-get -qq download $(packages))
	for deb in "$home"/debs/*.deb; do
		dpkg-deb -x "$deb" "$home/new"
	done
	mkdir -p "$home/tree/usr/bin" "$home/tree/usr/lib/x86_64-linux-gnu"
	export LD_LIBRARY_PATH=$home/new/usr/lib/x86_64-linux-gnu
	for file in $("$top/tools/guest/root.sh" --libraries "$home/new/usr/bin/bpftrace"); do
		case $file in
		*/ld-linux-*) ;;
		*) cp -L "$file" "$home/tree/usr/lib/x86_64-linux-gnu" ;;
		esac
	done
	unset LD_LIBRARY_PATH
	cp "$home/new/usr/bin/bpftrace" "$home/tree/usr/bin"
	rm -rf "$home/debs" "$home/new"
}

# What runs in the guest.
in_guest() {
	cat <<'EOF'
export BPFTRACE_MAX_PROBES=1000000 BPFTRACE_MAP_KEYS_MAX=100000 LC_ALL=C
echo 'echo "on $EPOCHREALTIME"' >/tmp/now


# measure NAME COMMAND...: its seconds are in $attach and $detach.
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

unpack
GUEST_TREE=$home/tree GUEST_MEMORY=${GUEST_MEMORY:-4096} exec "$top/test/kern/guest.sh" "${1:-6.12}" "$(in_guest)"
