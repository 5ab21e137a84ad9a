#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# reclaim.t: memory reclaim in the vminfo provider, compared with /proc/vmstat, when a cgroup reads a file that is
# larger than its limit.
#
# guests: 6.1
# needs: losetup mkfs.ext4
[ -n "${RECLAIM_NAMESPACE:-}" ] || exec env RECLAIM_NAMESPACE=1 unshare --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"

limits=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)
limit=memory.limit_in_bytes
if [ -z "$limits" ]; then
	limits=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	limit=memory.max
	echo +memory >"$limits/cgroup.subtree_control"
fi
group=$limits/dtr$$
mkdir "$group"
trap 'disk_remove; rmdir "$group"; cleanup' EXIT
[ -e "$group/$limit" ] || skip_all "no limits of memory in cgroups"
echo 4M >"$group/$limit"

# Files in memory, such as all files of a guest, are never reclaimed.
dir=$work
if [ -n "${GUEST:-}" ] || [ "$(stat -f -c %T "$work")" = tmpfs ]; then
	disk_make 24 || skip_all "$disk_lacks"
	mkfs.ext4 -q "$disk"
	mkdir "$work/mnt"
	mount "$disk" "$work/mnt"
	dir=$work/mnt
	trap 'umount "$dir"; disk_remove; rmdir "$group"; cleanup' EXIT
fi
dd if=/dev/zero of="$dir/file" bs=1M count=16 conv=fsync 2>/dev/null
dd of="$dir/file" oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null

cat >"$work/read" <<EOD
#!/bin/sh
echo \$\$ >$group/cgroup.procs
exec dd if=$dir/file of=/dev/null bs=64k status=none
EOD
chmod 755 "$work/read"
cat /proc/vmstat >"$work/before"
dtrace_run -q -c "$work/read" -n 'vminfo:::scan, vminfo:::dfree, vminfo:::fsfree, vminfo:::anonfree
/pid == $target/ { @[probename] = sum(arg0); }'
cat /proc/vmstat >"$work/after"
ok "dtrace ends well and drops nothing" dtrace_is_quiet

# grown NAME: prints the growth of the kernel's count.
grown() {
	awk -v name="$1" '$1 == name { n = $2 - n } END { print n }' "$work/before" "$work/after"
}

positive "$(value fsfree)" "the file has no room"
is "$(value fsfree)" "$(grown pgsteal_file)" "fsfree"
is "$(value anonfree)" "$(grown pgsteal_anon)" "anonfree"
is "$(value dfree)" "$(($(value fsfree) + $(value anonfree)))" "dfree is both"
is "$(value scan)" $(($(grown pgscan_file) + $(grown pgscan_anon))) "scan"

done_testing
