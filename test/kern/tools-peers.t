#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-peers.t: the numbers of tools, compared with perf and iostat, for the same work at the same time.
#
# guests: none
# needs: iostat losetup perf python3
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"
. "${0%/*}/disk.sh"

cd "$work" || exit 1
disk_make 16
program tppics "$top/build/test-pictures"
program tpdd dd
program tpcat cat

# kilobytes: prints how much was read from the disk and written to it since it was made.
kilobytes() {
	iostat -dk "$disk" | awk -v name="$disk_name" '$1 == name { print $6, $7 }'
}

if [ "$disk" ]; then
	read -r read0 written0 < <(kilobytes)
	together_start iosnoop -n tpdd -d "$disk_name" : iotop -C -d "$disk_name" 2
	"$work/tpdd" if="$disk" of=/dev/null bs=64k count=37 iflag=direct 2>program.out
	"$work/tpdd" if=/dev/zero of="$disk" bs=16k count=23 oflag=direct 2>program.out
	sleep 2.2
	together_stop
	read -r read1 written1 < <(kilobytes)
	is "$((read1 - read0)) $((written1 - written0))" "$((37 * 64)) $((23 * 16))" "iostat counts what is read and written"
	for tool in iosnoop iotop; do
		is "$(awk -v n="$tool" '
			n == "iosnoop" && $3 ~ /^[RW]$/ { bytes[$3] += $5 }
			n == "iotop" && $4 == "tpdd" { bytes[$(NF - 1)] += $NF }
			END { print bytes["R"] / 1024, bytes["W"] / 1024 }' $tool.out)" "$((read1 - read0)) $((written1 - written0))" \
			"$tool: as many kilobytes as iostat"
	done
else
	skip "beside iostat" "$disk_lacks"
fi

# compare TOOL FILE: checks that the three functions most frequent in perf are as frequent in the tool, within 5 %.  BPF
# programs belong to the tracers and end with them.
compare() {
	local tool=$1 name percent n=0
	while read -r percent name; do
		n=$((n + 1))
		between "$(awk -v name="$name" '{ sub(/^[^`]*`/, "", $1) } $1 == name { n += $NF } END { printf "%d", n + 0.99 }' "$tool.out")" \
			$((percent > 5 ? percent - 5 : 1)) $((percent + 5)) "$tool: $name is as frequent as for perf"
	done < <(perf report -i "$2" --stdio --sort symbol 2>/dev/null |
		awk '$1 ~ /%$/ && $2 ~ /^\[[.k]\]$/ && $3 !~ /^0x|@|^bpf_prog_/ && ++n <= 3 { printf "%d %s\n", $1 + 0.5, $3 }')
	is $n 3 "perf has functions"
}

# shellcheck disable=SC2016
echo 'for ((i = 0; i < 150000; i++)); do x=${i/1/2}; done' >script
program tpbash bash
program tppy "$(python3 -c 'import sys; print(sys.executable)')"
echo 'import time
for i in range(300):
    time.sleep(0.001)' >naps.py
together_start hotuser -n tpbash : hotkernel -n tppics : pagefaults -n tppy : cswstat -n tppy 1 : procsystime -c -n tpcat
perf record -q -e cpu-clock:u -F 1001 -o data.user -- "$work/tpbash" script 2>perf.err
perf record -q -e cpu-clock:k -F 1001 -o data.kernel -- "$work/tppics" 2000000 2000000 2>>perf.err
perf stat -x, -e context-switches,page-faults -o stat -- "$work/tppy" -S naps.py
perf trace -s -o trace -- "$work/tpcat" script nowhere script >program.out 2>&1
sleep 1.2
together_stop
note_file "perf" perf.err
compare hotuser data.user
compare hotkernel data.kernel

# counted EVENT: prints perf's count.
counted() {
	awk -F , -v event="$1" '$3 ~ event { print $1 }' stat
}

positive "$(counted page-faults)" "pages are asked for"
between "$(awk '$2 == "tppy" { print $3 }' pagefaults.out)" $(($(counted page-faults) * 9 / 10)) $(($(counted page-faults) * 11 / 10)) \
	"pagefaults: as many as for perf"
between "$(counted context-switches)" 300 100000 "processors are switched"
between "$(awk '$5 ~ /^[0-9]+$/ { n += $5 } END { print n }' cswstat.out)" $(($(counted context-switches) - 3)) \
	$(($(counted context-switches) + 10)) "cswstat: as many as for perf"
is "$(awk 'NF == 2 && $2 ~ /^[0-9]+$/ { print $1, $2 }' procsystime.out | sort)" \
	"$(awk '$1 != "execve" && $3 ~ /^[0-9]+$/ && $4 ~ /^[0-9.]+$/ { print $1, $2 }' trace | sort)" "procsystime: as many calls as for perf"

done_testing
