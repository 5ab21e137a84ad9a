#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# zone.t: zonename names the container: the engine's id or the unit, whatever the folder of its first process.
# rows: zonename jailname
# needs: unshare
. "${0%/*}/lib.sh"

id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
cgroup_up
v2=$cgroup v1=
# A hierarchy of version 1, if one has the controller pids or can get it.
v1=$(awk '$3 == "cgroup" && $4 ~ /(^|,)pids(,|$)/ { print $2; exit }' /proc/mounts)
mounted=
if [ -z "$v1" ]; then
	mkdir "$work/pids"
	mount -t cgroup -o pids none "$work/pids" 2>/dev/null && v1=$work/pids mounted=1
fi
[ -z "$v1" ] || { v1=$v1/dtr$$; mkdir "$v1"; }

cat >"$work/names" <<EOF
docker-a$id.scope a$id
docker-b$id.scope/init.scope b$id
docker/c$id c$id
docker/d$id/init d$id
libpod-e$id.scope/container e$id
libpod_parent/libpod-f$id f$id
kubepods.slice/kubepods-podx.slice/crio-g$id.scope g$id
kubepods.slice/kubepods-podx.slice/cri-containerd-h$id.scope h$id
kubepods/burstable/podx/i$id i$id
system.slice/kubepods-podx.slice:cri-containerd:j$id j$id
lxc.payload.k k
lxc.payload.l/init.scope l
lxc/m m
machine.slice/machine-n.scope/payload n
machine.slice/systemd-nspawn@o.service/payload/init.scope systemd-nspawn@o.service
system.slice/p.service p.service
user.slice/user@1000.service/app.slice/q.service q.service
EOF

# contain ROOT PATH CALLS: runs a program in a cgroup, as the first process of a container.
contain() {
	mkdir -p "$1/$2"
	(
		echo $BASHPID >"$1/$2/cgroup.procs"
		exec unshare -pf --kill-child "$top/build/test-calls" "$3" 1
	)
}

# contain_all ROOT PREFIX: a container for each name, with another number of calls for each; prints what dtrace shows.
contain_all() {
	local n=0 path name
	while read -r path name; do
		n=$((n + 1))
		contain "$1" "$path" $((n * 10))
		echo "$name $((n * 10))" >>"$work/want.$2"
	done <"$work/names"
}

dtrace_start -q -n 'syscall::lseek:entry /execname == "test-calls" && zonename != "global"/ { @a[zonename] = count(); @b[jailname] = count(); }
	END { printa("zone %s %@d\n", @a); printa("jail %s %@d\n", @b); }'
contain_all "$v2" v2
dtrace_stop
for word in zone jail; do
	is "$(sed -n "s/^$word //p" "$work/out" | sort)" "$(sort "$work/want.v2")" "${word}name: names of version 2"
done

if [ "$v1" ]; then
	dtrace_start -q -n 'syscall::lseek:entry /execname == "test-calls" && zonename != "global"/ { @a[zonename] = count(); }
		END { printa("zone %s %@d\n", @a); }'
	contain_all "$v1" v1
	# Hybrid: engines leave the processes in their own cgroup of version 2.
	(
		echo $BASHPID >"$cgroup/cgroup.procs"
		contain "$v1" docker/both 7
	)
	echo both 7 >>"$work/want.v1"
	dtrace_stop
	is "$(sed -n 's/^zone //p' "$work/out" | sort)" "$(sort "$work/want.v1")" "zonename: names of version 1"
	find "$v1" -depth -type d -exec rmdir {} +
	[ -z "$mounted" ] || umount "$work/pids"
else
	skip "zonename: names of version 1" "no hierarchy can be mounted"
fi
find "$v2" -mindepth 1 -depth -type d -exec rmdir {} +
done_testing
