#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# modules.t: functions, tracepoints and types of kernel modules: of loop devices and of ext4.
#
# guests: 6.12
# needs: losetup mkfs.ext4
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"

may_probe_functions || skip_all "the kernel lets nobody probe its functions"
if [ "${INSIDE:-}" != 1 ]; then
	INSIDE=1 exec unshare -m bash "$0"
fi
modprobe loop 2>/dev/null
[ -e /sys/kernel/btf/loop ] || skip_all "loop is no module with types"

# A program attaches a file to a loop device and detaches it; the device is in $work/device.
truncate -s 1M "$work/file"
echo "losetup --find --show $work/file >$work/device && losetup -d \$(cat $work/device)" >"$work/script"
configure="/bin/sh $work/script"

# The argument is a structure that only the module has: in a program for many functions, and by name.
for func in 'loop_configur[e]' loop_configure; do
	dtrace_run -qc "$configure" -n "
		fbt:loop:$func:entry /progenyof(\$target)/
		{ printf(\"/dev/loop%d %s \", args[0]->lo_number, stringof(args[0]->lo_disk->disk_name)); }
		fbt:loop:$func:return /progenyof(\$target)/ { printf(\"%d\", args[1]); }"
	device=$(cat "$work/device")
	is "$(cat "$work/out")" "$device ${device#/dev/} 0" "$func: what arguments point to, and the result"
	ok "... without trouble" dtrace_is_quiet
done
dtrace_run -lvn 'fbt:loop:loop_configure:entry'
has "$work/out" 'args\[0\]: struct loop_device \*$' "... and its type"

# The type, with its module, and in a program that names only a function of the module.
dtrace_run -qc "$configure" -n 'fbt::loop_configure:entry /progenyof($target)/ {
	printf("/dev/loop%d %d\n", ((struct loop_device *)arg0)->lo_number, sizeof (struct loop_device));
	printf("/dev/loop%d %d\n", ((struct loop`loop_device *)arg0)->lo_number, sizeof (struct loop`loop_device)); }'
is "$(sort -u "$work/out" | awk 'NF { print $1, ($2 > 200 && $2 < 2000) }')" "$(cat "$work/device") 1" "a type of a module"
dtrace_run -qn 'BEGIN { trace(sizeof (struct loop_device)); exit(0); }'
between "$(cat "$work/out")" 200 2000 "a structure that only a module has"
dtrace_run -qn 'BEGIN { trace(sizeof (struct ext4`loop_device)); exit(0); }'
has "$work/err" 'sizeof may not be applied to this type: struct ext4' "... is not the type of another module"

# Tracepoints.  A file is made and removed by root, on a disk of the test's own.
disk_make 8
if [ -z "$disk" ] || ! mkfs.ext4 -q "$disk" || [ ! -e /sys/kernel/btf/ext4 ]; then
	skip "tracepoints of a module" "${disk_lacks:-ext4 is no module with types}"
	done_testing
fi
mkdir "$work/mnt"
mount "$disk" "$work/mnt"
echo "for i in 1 2 3; do : >$work/mnt/modules-t; rm $work/mnt/modules-t; done" >"$work/script"
dtrace_run -qc "/bin/sh $work/script" -n '
	rawtp:::ext4_request_inode, rawtp:ext4::ext4_free_inode /progenyof($target)/ { @[probemod, probename] = count(); }
	rawtp:ext[34]::ext4_unlink_ente[r] /progenyof($target)/ { @[probemod, stringof(args[1]->d_name.name)] = count(); }
	END { printa("%s %s %@d\n", @); }'
ok "tracepoints: no trouble" dtrace_is_quiet
is "$(grep . "$work/out" | sort | paste -sd ' ')" "ext4 ext4_free_inode 3 ext4 ext4_request_inode 3 ext4 modules-t 3" \
	"tracepoints of a module, and their arguments"
dtrace_run -ln 'rawtp:ext4::ext4_free_inode'
number=$(awk '$NF == "ext4_free_inode" { print $1 }' "$work/out")
dtrace_run -li "$number"
has "$work/out" "^ *$number +rawtp +ext4 +ext4_free_inode\$" "the number of one names it in another run"
dtrace_run -lP rawtp
is "$(awk '$NF ~ /^ext4_(free|request)_inode$/' "$work/out" | wc -l)" 2 "... and all are listed with the kernel's"

# Modules that come and go, as counted by sysinfo.
if [ -z "${GUEST:-}" ]; then
	skip "modules that come and go" "only guests can do without one"
else
	cat >"$work/script" <<-'END'
		(exec -a rmmod insmod dummy)
		sleep 1
		insmod /guest/modules/*-dummy.ko
	END
	dtrace_run -qc "/bin/bash $work/script" -n '
		sysinfo:::modload /progenyof($target)/ { @load = sum(arg0); }
		sysinfo:::modunload /progenyof($target)/ { @unload = sum(arg0); }
		END { printa("%@d ", @load); printa("%@d\n", @unload); }'
	is "$(grep . "$work/out")" "1 1" "sysinfo:::modload and modunload"
fi

done_testing
