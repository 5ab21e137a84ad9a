#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# io-scripts.t: iosnoop, iotop, iopattern, biolatency, bitesize and seeksize show what dd does to a disk of the
# test's own.
#
# guests: none
# needs: losetup
[ -n "${IO_NAMESPACE:-}" ] || exec env IO_NAMESPACE=1 unshare --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"
export DTRACE=$dtrace

# while_running OUTPUT WORD COMMAND...: starts the command in the background and waits until it has printed the
# word.
while_running() {
	local out=$1 word=$2
	shift 2
	: >"$work/$out" # what the last command printed is not what this one waits for
	env --default-signal=INT "$@" >"$work/$out" 2>"$work/$out.err" &
	script_pid=$!
	own_pids+=("$script_pid")
	wait_for 60 grep -q "$word" "$work/$out" || note_file "standard error" "$work/$out.err"
	sleep 0.5
}

interrupt() {
	sleep 0.5
	kill -INT "$script_pid"
	wait "$script_pid"
	is $? 0 "$1 ends"
}

requests() {
	dd if=/dev/zero of="$disk" bs=64k count=4 seek=16 oflag=direct
	dd if="$disk" of=/dev/null bs=16k count=2 skip=128 iflag=direct
} 2>/dev/null

disk_make 16 || skip_all "$disk_lacks"
while_running snoop PATHNAME "$top/scripts/iosnoop" -ed "$disk_name" -n dd
requests
interrupt iosnoop
is "$(awk 'NR > 1 && NF { print $3, $4, $5, $6, $7, $8 }' "$work/snoop")" "$(
	for i in 0 1 2 3; do
		echo "W $((2048 + i * 128)) 65536 $disk_name dd <none>"
	done
	echo "R 4096 16384 $disk_name dd <none>"
	echo "R 4128 16384 $disk_name dd <none>"
)" "iosnoop: direction, block, size, device, command and file"
is "$(head -n 1 "$work/snoop" | xargs)" "UID PID D BLOCK SIZE DEVICE COMM PATHNAME" "iosnoop: its columns"

while_running snoop PATHNAME "$top/scripts/iosnoop" -stD -p $$ -d "$disk_name"
dd if=/dev/zero of="$disk" bs=64k count=1 oflag=direct 2>/dev/null
interrupt "iosnoop -p"
is "$(grep -c . "$work/snoop")" 1 "iosnoop: requests of another process are left out"

while_running top Tracing "$top/scripts/iotop" -C -d "$disk_name" 3 1
requests
wait "$script_pid"
is $? 0 "iotop ends"
is "$(awk '$4 == "dd" { print $1, $5, $6 ":" $7, $8, $9 }' "$work/top" | sort)" "$(
	echo "0 $disk_name $(cat "/sys/block/$disk_name/dev") R 32768"
	echo "0 $disk_name $(cat "/sys/block/$disk_name/dev") W 262144"
)" "iotop: user, device, direction and bytes"
has "$work/top" 'disk_r: +32 KB,  disk_w: +256 KB$' "iotop: the sums"

while_running pattern RAN "$top/scripts/iopattern" -d "$disk_name" 3 1
requests
wait "$script_pid"
is $? 0 "iopattern ends"
is "$(head -n 1 "$work/pattern" | xargs)" "%RAN %SEQ COUNT MIN MAX AVG KR KW DEVICE" "iopattern: its columns"
is "$(awk 'NR > 1 && NF' "$work/pattern" | xargs)" "33 66 6 16384 65536 49152 32 256 $disk_name" \
	"iopattern: two of six requests are elsewhere"

# The disk itself counts as many.
ended() {
	awk '{ print $1 + $5 }' "/sys/block/$disk_name/stat"
}
before=$(ended)
while_running latency Tracing "$top/scripts/biolatency" -FD -d "$disk_name"
requests
interrupt biolatency
is "$(awk '/read|write/ { name = $3 } /\|/ { n[name] += $NF } END { print n["read"], n["write"], n["read"] + n["write"] }' "$work/latency")" \
	"2 4 $(($(ended) - before))" "biolatency: a time for each request"

# processes OUTPUT: prints the names of processes that have distributions.
processes() {
	awk '!/\|/ && $1 ~ /^[0-9]+$/ { print $2 }' "$work/$1" | paste -sd ' '
}

# A process of another name.
cp "$(type -P dd)" "$work/toolother"
other_requests() {
	"$work/toolother" if="$disk" of=/dev/null bs=16k count=2 iflag=direct 2>/dev/null
	is $? 0 "another process asks, too"
}

# Its arguments identify the writer.
while_running bite Tracing "$top/scripts/bitesize" -n dd -d "$disk_name"
requests
other_requests
interrupt bitesize
is "$(awk '!/\||Distribution/ && NF { ours = $2 == "dd" && /of='"${disk//\//\\/}"'/ } NF == 3 && ours && $NF > 0 { print $1, $NF }' "$work/bite")" \
	"65536 4" "bitesize: four requests of 64 KB"
is "$(processes bite)" "dd dd" "bitesize -n: of nobody else"
while_running seek Tracing "$top/scripts/seeksize" -n dd -d "$disk_name"
requests
other_requests
interrupt seeksize
is "$(awk '!/\||Distribution/ && NF { ours = $2 == "dd" && /of='"${disk//\//\\/}"'/ } NF == 3 && ours && $NF > 0 { print $1, $NF }' "$work/seek")" \
	"0 3" "seeksize: three of them follow the one before"
is "$(processes seek)" "dd dd" "seeksize -n: of nobody else"

done_testing
