#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vfs-scripts.t: the ready scripts about file systems, on one that nobody else uses.
#
# guests: 6.12
# needs: losetup mkfs.ext4
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"
. "${0%/*}/disk.sh"

mkdir "$work/mnt"
disk_make 16
[ -n "$disk" ] || skip_all "$disk_lacks"
cp "$top/build/test-files" "$work/vs-files"
mkfs.ext4 -q "$disk" && mount "$disk" "$work/mnt"

tool_start Tracing vopstat -n vs-files
"$work/vs-files" "$work/mnt" >"$work/did"
ls -l "$work/mnt" >"$work/listed"
tool_stop
operations="vop_read vop_fsync"
if may_probe_functions; then
	operations="vop_open vop_create vop_read vop_mkdir vop_rmdir vop_remove vop_rename vop_link vop_getattr"
fi
for name in $operations; do
	is "$(awk -v device="$disk_name" -v name="$name" '$1 == device && $2 == name { print $3, $4 }' "$work/out")" \
		"$(awk -v name="$name" '$1 == "did" && $2 == name { print $3 }' "$work/did") 0" "vopstat: $name"
done

# sums_of_names: prints the sum of each column of namecache.
sums_of_names() {
	awk 'NF == 9 && $1 ~ /^[0-9]/ { for (i = 1; i <= 9; i++) sum[i] += $i }
		END { for (i = 1; i <= 9; i++) printf("%d%s", sum[i], i < 9 ? " " : "\n") }' "$work/out"
}

if may_probe_functions; then
	tool_start PURGE namecache -n vs-files
	"$work/vs-files" "$work/mnt" >"$work/did"
	ls -l "$work/mnt" >"$work/listed"
	tool_stop
	# The program ran before, so the cache knows that its names are absent, except 10 that were renamed.  It looks up
	# 30, one of them 20 times more.  It makes 25 files, 10 of which get other names, 5 links, 6 symbolic links, 4 pipes
	# and 12 directories.
	is "$(sums_of_names | awk '{ print ($2 >= 102), ($4 >= 62), ($6 >= 62) }')" "1 1 1" \
		"namecache: what the program does is in its numbers"
	tool_start PURGE namecache -n nobody
	"$work/vs-files" "$work/mnt" >"$work/did"
	tool_stop
	is "$(sums_of_names)" "0 0 0 0 0 0 0 0 0" "namecache -n: nobody else"
else
	skip "namecache" "the kernel lets nobody probe its functions"
fi

done_testing
