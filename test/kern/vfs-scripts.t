#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vfs-scripts.t: the ready scripts about file systems, on one that nobody else uses.
. "${0%/*}/lib.sh"
guest_only 6.12
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"
. "${0%/*}/disk.sh"

mkdir "$work/mnt"
disk_make 16
[ -n "$disk" ] || skip_all "$disk_lacks"
mkfs.ext4 -q "$disk" && mount "$disk" "$work/mnt"

dtrace_run -s "$top/scripts/vopstat.d" -c "$top/build/test-files $work/mnt"
ok "vopstat.d: no trouble" dtrace_is_quiet
operations="vop_read vop_fsync"
if may_probe_functions; then
	operations="vop_open vop_create vop_read vop_mkdir vop_rmdir vop_remove vop_rename vop_link vop_getattr"
fi
for name in $operations; do
	is "$(awk -v device="$disk_name" -v name="$name" '$1 == device && $2 == name { print $3, $4 }' "$work/out")" \
		"$(awk -v name="$name" '$1 == "did" && $2 == name { print $3 }' "$work/out") 0" "vopstat.d: $name"
done

if may_probe_functions; then
	dtrace_run -s "$top/scripts/namecache.d" -c "$top/build/test-files $work/mnt"
	ok "namecache.d: no trouble" dtrace_is_quiet
	# The program ran before, so it is known that no name is there, but for 10 that were renamed: 30 it asks for, one of them 20 times more;
	# 25 files, 10 of which get other names, 5 links, 6 symbolic ones, 4 pipes and 12 directories.
	is "$(awk 'NF == 9 && $1 ~ /^[0-9]/ { for (i = 1; i <= 9; i++) sum[i] += $i }
		END { print (sum[2] >= 102), (sum[4] >= 62), (sum[6] >= 62) }' "$work/out")" "1 1 1" \
		"namecache.d: what the program does is in its numbers"
else
	skip "namecache.d" "the kernel lets nobody probe its functions"
fi

done_testing
