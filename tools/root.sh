# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# root.sh: roots of Debian releases, made from the archive that apt uses here.  A script sources this file from the top of
# the sources.  The script sets $cache, a folder that keeps the roots, and $work, a folder of its own, and ends with
# remove_work.
#
# Nothing changes a kept root: open_root mounts it under a layer in memory.  The script therefore runs in a mount namespace
# of its own, and its mounts end with the namespace:
#
#	[ -n "${ROOT_NAMESPACE:-}" ] || exec env ROOT_NAMESPACE=1 unshare --mount --propagation private bash "$0" "$@"

# remove_work: unmounts everything in $work, and removes $work.
remove_work() {
	findmnt -rno TARGET | awk -v "work=$work/" 'index($0, work) == 1' | sort -r | xargs -r umount -l
	rm -rf --one-file-system "$work"
}

# has_archive FILE: returns success if the archive has the file below dists/.
has_archive() {
	local uri
	uri=$(tools/archive.sh) &&
		/usr/lib/apt/apt-helper download-file "${uri%/}/dists/$1" "$work/reached" >"$work/reach.log" 2>&1
}

# make_root NAME RELEASE OPTION...: makes the root $cache/NAME by mmdebstrap(1), unless it exists and was made with the same
# arguments.
make_root() {
	local name=$1 wanted="$*"
	shift
	[ "$(cat "$cache/$name.wanted" 2>/dev/null)" = "$wanted" ] && [ -d "$cache/$name" ] && return
	rm -rf "${cache:?}/$name" "$cache/$name".*
	mmdebstrap --quiet --format=directory --dpkgopt=force-unsafe-io "${@:2}" "$1" "$cache/$name.new" "$(tools/archive.sh)" &&
		mv "$cache/$name.new" "$cache/$name" &&
		echo "$wanted" >"$cache/$name.wanted"
}

# open_root NAME PLACE: mounts the root at $work/PLACE.  Changes go to memory.
open_root() {
	local at=$work/$2
	mkdir "$at" "$at.layer"
	mount -t tmpfs none "$at.layer"
	mkdir "$at.layer/upper" "$at.layer/work"
	# A colon in the path of the cache would end a layer's name.
	(cd "$cache" && mount -t overlay -o "lowerdir=$1,upperdir=$at.layer/upper,workdir=$at.layer/work" none "$at")
}

# close_root PLACE: unmounts the root and discards the changes.
close_root() {
	umount "$work/$1" "$work/$1.layer"
	rmdir "$work/$1" "$work/$1.layer"
}

# in_root PLACE SECONDS COMMAND: runs the command with this kernel's /proc and /sys and a network of its own, and kills it
# after SECONDS.
in_root() {
	local root=$work/$1
	shift
	unshare --mount --net --propagation private sh -eu -c '
		root=$1
		shift
		ip link set lo up
		for dir in proc sys dev/pts; do mount --rbind "/$dir" "$root/$dir"; done
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
			LC_ALL=C.UTF-8 timeout -k 5 "$1" chroot "$root" bash -c "$2"' sh "$root" "$@" </dev/null
}
