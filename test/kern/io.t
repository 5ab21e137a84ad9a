#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# rows: dentry_path mount_path sb_mount
#
# io.t: the io provider on a loop device with ext4, on its raw device, with errors, and on devices without a queue.
# It is compared with the kernel's counts in /sys/block/DEV/stat, and names with the written files.
#
# guests: 6.1
# needs: dmsetup losetup mkfs.ext4
[ -n "${IO_NAMESPACE:-}" ] || exec env IO_NAMESPACE=1 unshare --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"

# Start and done identify each request by its address, and by device and block.  A request seen twice by one of
# them, or not at all, is a row with another key than "1 1".
cat >"$work/io.d" <<'END_D'
#pragma D option quiet
inline string kind_of[int cmd] = cmd == BIO_FLUSH ? "flush" : cmd == BIO_READ ? "read" : "write";

io:::start
/args[1]->dev_statname == $$1/
{
	@starts[kind_of[args[0]->bio_cmd]] = count();
	@start_bytes[kind_of[args[0]->bio_cmd]] = sum(args[0]->b_bcount);
	began[arg0] = timestamp;
	pending[arg0]++;
	blocks[args[0]->b_edev, args[0]->b_blkno, args[0]->b_bcount]++;
}

io:::done
/args[1]->dev_statname == $$1/
{
	@dones[kind_of[args[0]->bio_cmd]] = count();
	@done_bytes[kind_of[args[0]->bio_cmd]] = sum(args[0]->b_bcount);
	@errors[args[0]->b_error, args[0]->bio_length] = count();
	@pairs[pending[arg0], blocks[args[0]->b_edev, args[0]->b_blkno, args[0]->b_bcount] > 0] = count();
	@late = sum(timestamp < began[arg0]);
	pending[arg0]--;
	blocks[args[0]->b_edev, args[0]->b_blkno, args[0]->b_bcount]--;
}


END
{
	printa("starts %s %@d\n", @starts);
	printa("start_bytes %s %@d\n", @start_bytes);
	printa("dones %s %@d\n", @dones);
	printa("done_bytes %s %@d\n", @done_bytes);
	printa("pairs %d %d %@d\n", @pairs);
	printa("late %@d\n", @late);
	printa("errors %d %d %@d\n", @errors);
}
END_D
cat >"$work/names.d" <<'END_D'
io:::start
/args[1]->dev_statname == $$1/
{
	@files[args[2]->fi_pathname, args[2]->fi_fs, args[2]->fi_mount] = sum(args[0]->b_bcount);
}

io:::done
/args[1]->dev_statname == $$1/
{
	@names[args[2]->fi_dirname, args[2]->fi_name] = max(args[2]->fi_offset + args[0]->b_bcount);
}

END
{
	printa("file %s %s %s %@d\n", @files);
	printa("name %s %s %@d\n", @names);
}
END_D
programs=(-s "$work/io.d")

# traced NAME COMMAND...: traces the device while the command runs, to $work/out.  The kernel's counts go to
# $work/delta.
traced() {
	local name=$1
	shift
	dtrace_start "${programs[@]}" "$name" || done_testing
	disk_watch "$name"
	disk_stat "$name" >"$work/before"
	"$@"
	disk_stat "$name" >"$work/after"
	disk_unwatch
	dtrace_stop
	paste "$work/before" "$work/after" | awk '{ print $1, $4 - $2 }' >"$work/delta"
}

# counted KEY: prints a count of the kernel.
counted() {
	awk -v key="$1" '$1 == key { print $2 }' "$work/delta"
}

# agrees TEXT: checks that requests and bytes agree with the kernel, and that each start has its end.  The kernel
# counts a request without data that only waits for a flush as a write.
agrees() {
	local kind want empty count
	empty=$(wc -l <"$work/empty")
	for kind in read write; do
		count=$(counted ${kind}s)
		[ $kind = read ] || count=$((count - empty))
		want="$count $(($(counted ${kind}_sectors) * 512))"
		is "$(value starts $kind) $(value start_bytes $kind)" "$want" "$1: ${kind}s start"
		is "$(value dones $kind) $(value done_bytes $kind)" "$want" "$1: ${kind}s are done"
	done
	is "$(value starts flush) $(value dones flush)" "$empty $empty" "$1: flushes"
	is "$(grep '^pairs' "$work/out")" "pairs 1 1 $(($(counted reads) + $(counted writes)))" \
		"$1: each that is done was started once, with this address, device, block and size"
	is "$(value late)" 0 "$1: nothing is done before it started"
}

file_system_load() {
	dd if=/dev/zero of="$mnt/one" bs=4k count=100 conv=fsync
	mkdir "$mnt/dir"
	dd if=/dev/zero of="$mnt/dir/two" bs=1M count=3 conv=fsync
	dd if=/dev/zero of="$mnt/three" bs=64k count=5 oflag=direct
	# Drop the pages of this file from the cache.
	dd of="$mnt/one" oflag=nocache conv=notrunc,fdatasync count=0
	dd if="$mnt/one" of=/dev/null bs=32k
	dd if="$mnt/dir/two" of=/dev/null bs=256k iflag=direct
	# The writer has ended when the data goes to the disk.
	dd if=/dev/zero of="$mnt/late" bs=4k count=7
	ln "$mnt/late" "$mnt/dir/other"
	sync -f "$mnt"
} 2>/dev/null

disk_make 64 || skip_all "$disk_lacks"
mnt=$work/mnt
mkdir "$mnt"
grep -qw ext4 /proc/filesystems || skip_all "no ext4"
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$disk"
# No work may happen in the background.
mount -o commit=600,noinit_itable,no_prefetch_block_bitmaps "$disk" "$mnt"
sync -f "$mnt"

programs=(-s "$work/io.d" -s "$work/names.d")
traced "$disk_name" file_system_load
programs=(-s "$work/io.d")
agrees "ext4"
positive "$(value starts flush)" "ext4: the device's cache was flushed"
is "$(value file "$mnt/one" ext4 "$mnt")" $((2 * 400 * 1024)) "a file, written and read: its path and mount"
is "$(value file "$mnt/dir/two" ext4 "$mnt")" $((6 * 1024 * 1024)) "written through the cache, read directly"
is "$(value file "$mnt/three" ext4 "$mnt")" $((320 * 1024)) "written directly"
is "$(($(value file "$mnt/late" ext4 "$mnt") + $(value file "$mnt/dir/other" ext4 "$mnt")))" \
	$((28 * 1024)) "written when its writer was gone"
positive "$(value file '<none>' '<none>' '<none>')" "the file system's own blocks belong to no file"
is "$(value name "$mnt" one) $(value name "$mnt/dir" two) $(value name "$mnt" three)" \
	"$((400 * 1024)) $((3 * 1024 * 1024)) $((320 * 1024))" "directory, name and offset"

# The kernel accepts these programs, which do not read everything through helpers.
dtrace_run -x bpflog -qn 'io:::start, io:::done { @[args[2]->fi_pathname, args[2]->fi_mount, args[0]->b_bcount] =
	max(args[2]->fi_offset); } tick-1s { exit(0); }'
ok "the first program is accepted" test -z "$(grep -E 'prohibited|not allowed|refuse' "$work/err")"

# Each member needs the file of the request; computed anew each time this would be 18,800 instructions.
dtrace_run -eSn 'io:::start { trace(args[2]->fi_pathname); trace(args[2]->fi_mount); trace(args[2]->fi_name); }'
most=$(cat "$work/out" "$work/err" | awk '/^[[:space:]]*[0-9]+\t/ { if ($1 > most) most = $1 } END { print most + 0 }')
ok "what several members need is found out once ($most)" test "$most" -gt 100 -a "$most" -lt 4000

build_load() {
	local i
	for i in {1..30}; do
		printf '#include <stdio.h>\nint f%d(int x) { return printf("%%d", x + %d); }\n' "$i" "$i" \
			>"$mnt/f$i.c"
		gcc -O1 -g -c -o "$mnt/f$i.o" "$mnt/f$i.c"
	done
	ar rc "$mnt/lib.a" "$mnt"/*.o
	sync -f "$mnt"
}
if compiler_here "a build as the load"; then
	traced "$disk_name" build_load
	agrees "a build"
fi
umount "$mnt"

# The device itself; with a scheduler, which holds requests back and may merge them; and with requests that are
# split because they are too large for it.
raw_load() {
	dd if="$disk" of=/dev/null bs=64k count=8 iflag=direct
	dd if=/dev/zero of="$disk" bs=16k count=3 seek=10 oflag=direct
	dd if=/dev/zero of="$disk" bs=4k count=30 seek=100 conv=fsync
} 2>/dev/null
device_load() {
	local queue=/sys/block/$disk_name/queue scheduler max
	raw_load
	for scheduler in bfq mq-deadline none; do
		[[ $(cat "$queue/scheduler") = *$scheduler* ]] && break
	done
	echo "$scheduler" >"$queue/scheduler"
	raw_load
	echo none >"$queue/scheduler"
	max=$(cat "$queue/max_sectors_kb")
	echo 64 >"$queue/max_sectors_kb"
	dd if="$disk" of=/dev/null bs=256k count=3 iflag=direct 2>/dev/null
	dd if=/dev/zero of="$disk" bs=1M count=1 seek=4 oflag=direct 2>/dev/null
	echo "$max" >"$queue/max_sectors_kb"
}
cat >"$work/stack.d" <<'END_D'
#pragma D option quiet
io:::start /args[1]->dev_statname == $$1 && execname == "dd"/ { @askers[stack()] = count(); }
io:::done /args[1]->dev_statname == $$1/ { @ends[stack(1)] = count(); }
END { printf("starts\n"); printa(@askers); printf("\nends\n"); printa(@ends); }
END_D
programs=(-s "$work/io.d" -s "$work/names.d" -s "$work/stack.d")
traced "$disk_name" device_load
programs=(-s "$work/io.d")
agrees "raw device"
is "$(value starts read) $(value starts write) $(value starts flush)" "28 82 2" "raw device: each part of what is split starts"
positive "$(counted merges)" "raw device: some are merged"
want=$(($(counted reads) + $(counted writes)))
is "$(awk 'BEGIN { RS = "" } /^ends/ { exit } /\n *vmlinux`_*submit_bio.*do_syscall_64/ && /^(starts\n)? *vmlinux`(blk|bio)_/ {
	sum += $NF } END { print sum }' "$work/out")" $want "stack(): how dd came to ask for each"
is "$(grep -A 1 'blk_update_request+' "$work/out" | awk 'NF == 1 && /^ *[0-9]+$/ { sum += $1 } END { print sum }')" $want \
	"stack(): what ends them all"
is "$(grep '^file' "$work/out" | cut -d ' ' -f 2)" "<none>" "a device is no file"

# A thread that waits for a request sleeps once for each reported wait.
wait_load() {
	dd if=/dev/zero of="$disk" bs=4k count=20 oflag=sync
} 2>/dev/null
cat >"$work/wait.d" <<'END_D'
#pragma D option quiet
rawtp:::sched_switch /execname == "dd" && curthread->real_parent->tgid == $1/ { @slept = count(); }
io:::wait-start /execname == "dd" && curthread->real_parent->tgid == $1/ { @waits = count(); }
io:::wait-start
/execname == "dd" && curthread->real_parent->tgid == $1 && args[1]->dev_statname == "<unknown>" && args[2]->fi_name == "<none>"/
{
	@honest = count();
}
io:::wait-start /execname == "dd" && curthread->real_parent->tgid == $1/ { self->since = timestamp; }
io:::wait-done
/self->since && execname == "dd" && pid == curpsinfo->pr_pid && timestamp > self->since/
{
	@done = count();
	self->since = 0;
}
END { printa("done %@d\n", @done); printa("slept %@d\n", @slept); printa("waits %@d\n", @waits); printa("honest %@d\n", @honest); }
END_D
dtrace_start -s "$work/wait.d" $$ || done_testing
wait_load
dtrace_stop
between "$(value waits)" 20 "$(value slept)" "each synchronous write waits, and whoever waits sleeps"
is "$(value honest)" "$(value waits)" "what it waits for is not told"
# A switch from a thread that is hidden from tracing is not seen (see switches_of_init).
hidden=0
[ -n "${GUEST:-}" ] || hidden=$(($(value waits) / 10))
between "$(value done)" $(($(value waits) - hidden)) "$(value waits)" "every wait is over, in the thread that waited"

# Half of the requested data exists: the device does a part, takes the request again and fails.
short_load() {
	dd if="$disk" of=/dev/null bs=64k count=1 skip=16 iflag=direct
	is_short=$?
} 2>/dev/null
truncate -s $((1024 * 1024 + 32768)) "$disk_image"
traced "$disk_name" short_load
truncate -s 64M "$disk_image"
is "$(value starts read) $(value start_bytes read)" "1 65536" "half a file: what is issued twice starts once"
is "$(value dones read) $(value done_bytes read)" "1 65536" "half a file: what is done in two parts is done once"
is "$(grep '^pairs' "$work/out")" "pairs 1 1 1" "half a file: start and end have the same block"
# Older kernels read zeros for the rest.
is "$(value errors $((is_short ? 5 : 0)) 65536)" 1 "half a file: the number of the error"

# Devices without a request queue: memory, and one device on top of another.
direct_load() {
	dd if=/dev/zero of="$1" bs=64k count=6 oflag=direct
	dd if="$1" of=/dev/null bs=32k count=4 iflag=direct
} 2>/dev/null
# Blocks of a partition are counted from its own start.
part_load() {
	yes | head -c 4096 | dd of="$part" bs=4k seek=100 oflag=direct iflag=fullblock
} 2>/dev/null
cat >"$work/blocks.d" <<'END_D'
io:::start, io:::done
/args[1]->dev_statname == $$1/
{
	@blocks[probename, args[0]->b_blkno, args[0]->bio_offset, args[1]->dev_major, args[1]->dev_minor] = count();
}

END { printa("block %s %d %d %d:%d %@d\n", @blocks); }
END_D
if disk_partition 2048 8192; then
	programs=(-s "$work/io.d" -s "$work/blocks.d")
	traced "$part_name" part_load
	programs=(-s "$work/io.d")
	agrees "partition"
	number=$(cat "/sys/class/block/$part_name/dev")
	is "$(grep '^block' "$work/out" | sort)" \
		"$(printf 'block %s 800 409600 %s 1\n' "done" "$number" start "$number")" "partition: its device and blocks"
	is "$(tail -c +$(((2048 + 800) * 512 + 1)) "$work/parted" | head -c 4 | tr '\n' .)" "y.y." "partition: what was written is there"
else
	skip "a partition" "no partitions of loop devices"
fi

# A discard is neither a read nor a write.
cat >"$work/discards.d" <<'END_D'
#pragma D option quiet
io:::start, io:::done
/args[1]->dev_statname == $$1/
{
	@discards["discards", probename, args[0]->bio_cmd == BIO_DELETE, args[0]->b_flags & (B_READ | B_WRITE), args[0]->b_bcount] =
	    sum(args[0]->bio_length);
}
END_D
programs=(-s "$work/discards.d")
traced "$disk_name" blkdiscard -o 1M -l 2M "$disk"
programs=(-s "$work/io.d")
for name in start "done"; do
	is "$(value discards $name 1 0 0)" 2097152 "io:::$name: what is discarded has its length, and no bytes are written"
done
is "$(awk '$1 == "discards" && $3 == 1' "$work/out" | wc -l)" 2 "all of it"

if disk_zram; then
	traced "$zram" direct_load "/dev/$zram"
	agrees "zram"
else
	skip "a device without a queue" "no zram"
fi
if disk_linear; then
	traced "$linear_name" direct_load "/dev/$linear_name"
	agrees "device mapper"
	traced "$disk_name" direct_load "/dev/$linear_name"
	agrees "below the device mapper"
else
	skip "one device on another" "no device mapper"
fi

done_testing
