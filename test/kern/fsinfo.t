#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fsinfo.t: operations of file systems, with their files and bytes, as often as a program reports them.
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
	fsinfo:::remove, fsinfo:::rename, fsinfo:::mkdir /pid == $target/
	{ @changed[probename, args[0]->fi_name, args[0]->fi_fs] = count(); }
	fsinfo:::getattr, fsinfo:::setattr, fsinfo:::readlink, fsinfo:::mkdir, fsinfo:::rmdir, fsinfo:::remove,
	fsinfo:::link, fsinfo:::symlink, fsinfo:::rename /pid == $target/
	{ @paths[probename, args[0]->fi_pathname] = count(); }
	fsinfo:::readlink /pid == $target/ { @parts[args[0]->fi_dirname, args[0]->fi_name] = count(); }
	END { printa("all %s %@d\n", @all); printa("bytes %s %s %s %@d\n", @bytes);
		printa("opened %s %@d\n", @opened); printa("%s %s %s %@d\n", @changed);
		printa("path %s %s %@d\n", @paths);
		printa("parts %s %s %@d\n", @parts); }'
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

# path_is OPERATION NAME COUNT: checks how many operations have the path of this file.
path_is() {
	has "$work/out" "^path $1 $work/memory/$2 $3\$" "$1: a path"
}

# For a system call that stands for an operation, the file system is unknown.
fs=tmpfs
may_probe_functions || fs='<unknown>'
has "$work/out" "^remove new12 $fs 1\$" "the name of a file that is removed"
has "$work/out" "^mkdir dir11 $fs 1\$" "... of a directory that is made"
path_is getattr moved8 1
path_is getattr new4 1
path_is getattr dir0 1
path_is setattr new3 1
path_is readlink symlink5 1
has "$work/out" "^parts $work/memory symlink5 1\$" "... and its parts"
path_is mkdir dir11 1
path_is rmdir dir11 1
path_is remove fifo3 1
path_is link link4 1
path_is symlink symlink5 1
if may_probe_functions; then
	path_is getattr dir1 1
	# The name has moved by the time the operation ends.
	has "$work/out" "^rename moved3 tmpfs 1\$" "the name of a file that is renamed"
	between "$(awk '$1 == "all" && $2 == "lookup" { print $3 }' "$work/out")" 200 2000 "lookup"
else
	has "$work/out" "^path getattr $work/memory/dir0/../dir1 1\$" "a path with .. in it"
	path_is rename new3 1
fi

# Bytes that move by calls other than read() and write(), by io_submit() and by io_uring.
mkdir "$work/roads"
dtrace_run -qc "$top/build/test-roads $work/roads" -n '
	fsinfo:::read, fsinfo:::write /pid == $target && args[0]->fi_dirname == "'"$work"'/roads"/
	{ @[probename, args[0]->fi_name] = sum(args[1]); @roads[args[0]->fi_name, probefunc] = count(); }
	END { printa("saw %s %s %@d\n", @); printa("road %s %s\n", @roads); }'
has "$work/out" '^read aio 6300$' "the load ran"
is "$(sed -n 's/^saw //p' "$work/out" | sort)" "$(grep -E '^(read|write) ' "$work/out" | sort)" "bytes by every road"
is "$(sed -n 's/^road //p' "$work/out" | sort)" "$(grep -oE '^write [a-z]+' "$work/out" | sed -E '
	s/^write (source|calls)/\1 call/; s/^write aio/aio io_submit/; s/^write (.*)/\1 io_uring/' | sort)" "the road of each file"

done_testing
