#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-sums.t: the tools that count, all at the same time, compared with counts of strace, of /proc and of the programs
# themselves.
#
# guests: none
# needs: losetup ping python3 strace
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --net --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"
. "${0%/*}/disk.sh"

cd "$work" || exit 1
switch=$top/build/test-switch
python=$(python3 -c 'import sys; print(sys.executable)')
program tucat cat
program tupy "$python"
program tudd dd
program tubash bash
touch a b
ip link set lo up
disk_make 16

# softirqs, interrupts: print lines "NAME COUNT", over all processors.
softirqs() {
	awk 'NR > 1 { n = 0; for (i = 2; i <= NF; i++) n += $i; sub(":", "", $1); print $1, n }' /proc/softirqs
}
interrupts() {
	awk 'NR == 1 { cpus = NF } $1 ~ /^[0-9]+:$/ { n = 0; for (i = 2; i <= cpus + 1; i++) n += $i; sub(":", "", $1); print $1, n }' \
		/proc/interrupts
}

# grown FILE FILE NAME: prints the growth of this count from one file to the other.
grown() {
	awk -v name="$3" '$1 == name { n = $2 - n } END { print n + 0 }' "$1" "$2"
}

# shown TOOL KEY FIELD: prints this field of the row that begins with the key.
shown() {
	awk -v key="$2" -v field="$3" '$1 == key { n = $field } END { print n + 0 }' "$work/$1.out"
}

softirqs >soft.0
interrupts >hard.0
tracing=${EPOCHREALTIME/./}
together_start syscount -n tucat : pagefaults -n tupy : softirqs : hardirqs : runqlen -a : fsslower -n tudd 100 : \
	biostacks -n tudd -d "${disk_name:-none}"
softirqs >soft.1
interrupts >hard.1

"$work/tucat" a nowhere b >program.out 2>&1
cat >faults.py <<'END'
import mmap, resource
memory = mmap.mmap(-1, 4096 * 500, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(500):
    memory[4096 * page] = 1
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
END
"$work/tupy" -S faults.py >faults
ping -q -f -c 200 127.0.0.1 >program.out
dd if=/dev/zero of=direct bs=4k count=20 oflag=direct conv=fsync 2>program.out
"$switch" hogs $(($(nproc) - 1)) 400 4 >threads.hogs
began=${EPOCHREALTIME/./}
(sleep 0.5; echo x) | script -qc "$work/tudd of=/dev/null bs=1 count=1" /dev/null >program.out
ended=${EPOCHREALTIME/./}
[ -z "$disk" ] || "$work/tudd" if=/dev/zero of="$disk" bs=64k count=13 oflag=direct 2>program.out
softirqs >soft.2
interrupts >hard.2
together_stop
traced=${EPOCHREALTIME/./}
softirqs >soft.3
interrupts >hard.3

strace -f -c -o strace "$work/tucat" a nowhere b >program.out 2>&1
is "$(awk 'NF == 2 && $1 != "CALL" { print $1, $2 }' syscount.out | sort)" "$(awk 'NF >= 5 && $1 ~ /^[0-9.]+$/ && $NF != "total" &&
	$NF != "exit_group" { print $NF, $4 }' strace | sort)" "syscount: each call"

pid=$(awk '$2 == "tupy" { print $1 }' pagefaults.out)
between "$(shown pagefaults "$pid" 3)" 500 $(($(cat faults) * 12 / 10 + 50)) "pagefaults: of a process"
between "$(shown pagefaults "$pid" 4)" 500 $(($(cat faults) * 12 / 10 + 50)) "pagefaults: pages of zeroes"

# Some processes of a virtual machine are hidden, and so are interrupts in them.
positive "$(grown soft.1 soft.2 NET_RX)" "packets come in"
for kind in NET_RX TIMER SCHED; do
	between "$(shown softirqs $kind 2)" $(($(grown soft.1 soft.2 $kind) * 8 / 10)) "$(grown soft.0 soft.3 $kind)" "softirqs: $kind"
done
for number in $(awk '{ print $1 }' hard.0); do
	[ "$(grown hard.1 hard.2 "$number")" -gt 0 ] || continue
	between "$(awk -v key="$number" '$1 == key { n += $3 } END { print n + 0 }' hardirqs.out)" \
		$(($(grown hard.1 hard.2 "$number") * 8 / 10)) "$(grown hard.0 hard.3 "$number")" "hardirqs: $number"
done

# While four threads want a processor, three wait.  Their processor time is the least duration; other load makes it
# longer, up to the whole time of tracing.
samples=$(awk '$1 == "thread" { n += $7 } END { printf "%d", n / 10101010 }' threads.hogs)
positive "$samples" "threads run"
between "$(awk '/\|/ && $1 >= 3 && $1 <= 9 { n += $NF } END { print n + 0 }' runqlen.out)" $((samples / 2)) $(((traced - tracing) * $(nproc) / 10000 + 10)) \
	"runqlen: three wait"

# On a busy machine its writes can be slow, too.
is "$(awk '$3 == "tudd" && $5 >= 100000 && $4 == "vop_read" { print $6 }' fsslower.out)" 0 "fsslower: who waits for a terminal"
between "$(awk '$3 == "tudd" && $4 == "vop_read" { print $5 }' fsslower.out)" 100000 $((ended - began)) "fsslower: how long"
has fsslower.out ' vop_read .* /dev/pts/[0-9]+$|/[0-9]+$' "fsslower: which file"
if [ "$disk" ]; then
	is "$(awk '$1 == "requests" { n += $2 } END { print n + 0 }' biostacks.out)" 13 "biostacks: each request"
	has biostacks.out '`submit_bio' "biostacks: where they come from"
else
	skip "biostacks" "$disk_lacks"
fi

cat >asks.py <<'END'
import ctypes
c = ctypes.CDLL(None)
for i in range(7):
    c.malloc(10000019)
c.realloc(None, 10000019)
c.calloc(10, 1000000)
END
is "$("$top/scripts/mallocstacks" -m 5000000 "$python" -S asks.py 2>&1 | awk 'NF == 1 && /^ +[0-9]+$/ { n += $1 } END { print n }')" \
	$((8 * 10000019 + 10000000)) "mallocstacks: bytes"
"$top/scripts/mallocstacks" -c -m 5000000 "$python" -S asks.py >out 2>err
is "$(awk 'NF == 1 && /^ +[0-9]+$/ { n += $1 } END { print n }' out)" 9 "mallocstacks -c: how often"
has out '`malloc$' "mallocstacks: who asks"

mkfifo keys
script -qc "$work/tubash --norc --noprofile -i" /dev/null <keys >program.out 2>&1 &
own_pids+=("$!")
exec 7>keys
# shellcheck disable=SC2016
echo 'echo $$ >shell' >&7
wait_for 20 test -s shell
together_start bashreadline -p "$(cat shell)"
printf '%s\n' 'echo "a  b" >said' 'touch heard' >&7
wait_for 20 test -e heard
together_stop
echo exit >&7
exec 7>&-
is "$(cat said)" "a  b" "bash has read its lines"
is "$(awk 'NR > 1 && NF' bashreadline.out | sed 's/^ *//; s/  *'"$(cat shell)"' /:/')" $'0:echo \\"a  b\\" >said\n0:touch heard' "bashreadline: the lines"

done_testing
