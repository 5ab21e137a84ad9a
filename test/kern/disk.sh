# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
#
# disk.sh: block devices for one test, removed at its end.  Source this file after lib.sh, in a mount namespace that
# ends with the test.

disk= disk_name= disk_image= disk_lacks= disk_trace=
parted= part= part_name=
zram= linear= linear_name=

# disk_make MB: makes a loop device, $disk, on a file; if that fails, $disk_lacks names the missing part.
disk_make() {
	disk_lacks="no loop devices"
	disk_image=$work/image
	truncate -s "$1M" "$disk_image"
	trap 'disk_remove; cleanup' EXIT
	disk=$(losetup --find --show "$disk_image" 2>/dev/null) || return
	disk_name=${disk#/dev/}
}

# disk_partition START SECTORS: makes a loop device with one partition; its device file is $part, its name
# $part_name.
disk_partition() {
	local major minor
	part=$work/part
	truncate -s 16M "$work/parted"
	parted=$(losetup --partscan --find --show "$work/parted")
	part_name=${parted#/dev/}p1
	"$top/build/test-addpart" "$parted" 1 "$1" "$2" || return
	IFS=: read -r major minor <"/sys/class/block/$part_name/dev"
	mknod "$part" b "$major" "$minor"
}

# disk_zram: makes a device in memory, /dev/$zram, which takes bios and has no queue.
disk_zram() {
	local number
	number=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || return
	zram=zram$number
	wait_for 5 test -b "/dev/$zram"
	echo 8M >"/sys/block/$zram/disksize"
}

# disk_linear: maps the whole disk through the device mapper: /dev/mapper/$linear, in sysfs $linear_name.
disk_linear() {
	grep -qw device-mapper /proc/misc || return
	linear=dtr$$
	dmsetup create "$linear" --noudevsync --noudevrules \
		--table "0 $(cat "/sys/block/$disk_name/size") linear $disk 0" || { linear=; return 1; }
	linear_name=$(dmsetup info -C --noheadings -o blkdevname "$linear")
}

# disk_watch NAME, disk_unwatch: write a line to $work/empty for each request without data.
disk_watch() {
	local number
	number=$(cat "/sys/class/block/$1/dev")
	disk_trace=/sys/kernel/tracing/instances/dtr$$
	mkdir "$disk_trace"
	echo "nr_sector == 0 && dev == $(((${number%:*} << 20) + ${number#*:}))" \
		>"$disk_trace/events/block/block_getrq/filter"
	echo 1 >"$disk_trace/events/block/block_getrq/enable"
}

disk_unwatch() {
	[ -z "$disk_trace" ] && return
	echo 0 >"$disk_trace/events/block/block_getrq/enable"
	grep -v '^#' "$disk_trace/trace" >"$work/empty"
	rmdir "$disk_trace"
	disk_trace=
}

disk_remove() {
	disk_unwatch
	[ -z "$linear" ] || dmsetup remove --noudevsync "$linear"
	[ -z "$zram" ] || { echo 1 >"/sys/block/$zram/reset"; echo "${zram#zram}" >/sys/class/zram-control/hot_remove; }
	umount "$work/mnt" 2>/dev/null
	[ -z "$parted" ] || losetup -d "$parted"
	[ -z "$disk" ] || losetup -d "$disk"
}

# disk_stat NAME: prints the kernel's counters; merged requests are included (Documentation/block/stat.rst).
disk_stat() {
	awk '{ print "reads", $1 + $2; print "read_sectors", $3; print "writes", $5 + $6; print "write_sectors", $7
		print "merges", $2 + $6 }' "/sys/class/block/$1/stat"
}
