#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bare.sh RELEASE COMMAND: runs a command in a clone of this repository's last commit, in a new root of a Debian release
# (bookworm, trixie).  The root has only the essential packages, apt, git and ca-certificates.  The status is the
# command's:
#
#	tools/bare.sh trixie ./demo
#	tools/bare.sh bookworm './check --no-guests'
#
# The root shares this machine's kernel, network, processors and cgroups, and nothing else.  It is removed at the end,
# unless KEEP names a folder for it.  An existing root is used again, so a second command finds the packages that the first
# has installed.  The command finds apt's cache in build/bare.  Needs root and mmdebstrap.
set -u

top=$(cd "${0%/*}/.." && pwd)
release=${1:?usage: bare.sh RELEASE COMMAND}
command=${2:?usage: bare.sh RELEASE COMMAND}
root=${KEEP:-$(mktemp -d)}
cache=$top/build/bare/$release
[ -n "${KEEP:-}" ] || trap 'rm -rf "$root"' EXIT
mkdir -p "$cache/archives" "$root"

if [ ! -e "$root/usr" ]; then
	mmdebstrap --quiet --variant=minbase --include=git,ca-certificates "$release" "$root" \
		"$("$top/tools/archive.sh")" || exit
	cp /etc/resolv.conf "$root/etc"
	git clone -q --no-local "$top" "$root/dtrace" || exit
fi

# pivot_root instead of chroot alone: in a changed root no process can create mount namespaces.
unshare --mount --propagation private bash -euc '
	root=$1
	mount --bind "$root" "$root"
	for dir in proc sys dev; do
		mount --rbind "/$dir" "$root/$dir"
	done
	mount -t tmpfs -o mode=1777 tmp "$root/tmp"
	mount -t tmpfs run "$root/run"
	mount --bind "$2/archives" "$root/var/cache/apt/archives"
	# Keep packages for the next root.
	rm -f "$root/etc/apt/apt.conf.d/docker-clean"
	echo "APT::Keep-Downloaded-Packages \"true\";" >"$root/etc/apt/apt.conf.d/keep"
	cd "$root"
	mkdir -p old
	pivot_root . old
	umount -l /old
	cd /dtrace
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		LC_ALL=C.UTF-8 bash -c "$3"' bash "$root" "$cache" "$command" </dev/null
