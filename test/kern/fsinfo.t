#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fsinfo.t: operations of file systems, as many as a program says that it had, with their files and bytes.
#
# guests: 6.12
. "${0%/*}/lib.sh"
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"

mkdir "$work/memory"
mount -t tmpfs none "$work/memory"
dtrace_run -qc "$top/build/test-files $work/memory" -n '
	syscall::exit_group:entry /pid == $target/ { self->ends = 1; }
	fsinfo::: /pid == $target && !self->ends/ { @all[probename] = count(); }
	fsinfo:::read, fsinfo:::write /pid == $target && args[0]->fi_fs == "tmpfs"/
	{ @bytes[probename, args[0]->fi_name, args[0]->fi_pathname] = sum(args[1]); }
	fsinfo:::open /pid == $target && args[0]->fi_dirname == args[0]->fi_mount && args[0]->fi_fs == "tmpfs"/
	{ @opened[args[0]->fi_name] = count(); }
	fsinfo:::remove, fsinfo:::rename, fsinfo:::mkdir /pid == $target && args[0]->fi_name != "<unknown>"/
	{ @changed[probename, args[0]->fi_name, args[0]->fi_fs] = count(); }
	END { printa("all %s %@d\n", @all); printa("bytes %s %s %s %@d\n", @bytes);
		printa("opened %s %@d\n", @opened); printa("%s %s %s %@d\n", @changed); }'
ok "no trouble" dtrace_is_quiet
while read -r _ name count; do
	name=${name#vop_}
	[[ $name = lookup || $name = mknod || $name = reclaim ]] && continue
	[ "$name" = create ] && ! may_probe_functions && continue
	is "$(awk -v name="$name" '$1 == "all" && $2 == name { print $3 }' "$work/out")" "$count" "$name"
done < <(grep '^did ' "$work/out")
has "$work/out" "^bytes read new0 $work/memory/new0 1200\$" "bytes that were read"
has "$work/out" "^bytes write new7 $work/memory/new7 10\$" "bytes that were written"
has "$work/out" '^opened new0 41$' "opened files"
has "$work/out" '^opened new9 1$' "... and one that was made"

if may_probe_functions; then
	has "$work/out" '^remove new12 tmpfs 1$' "the name of a file that is removed"
	has "$work/out" '^rename moved3 tmpfs 1$' "... renamed"
	has "$work/out" '^mkdir dir11 tmpfs 1$' "... of a directory that is made"
	between "$(awk '$1 == "all" && $2 == "lookup" { print $3 }' "$work/out")" 200 2000 "lookup"
else
	skip "names of paths" "the kernel lets nobody probe its functions"
fi

done_testing
