#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bpftrace.sh: makes the tree build/bench/bpftrace/tree of bpftrace and its libraries.  It takes the installed bpftrace, or
# downloads the package of this machine's distribution and unpacks it without installing it.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
home=$top/build/bench/bpftrace

# packages: prints packages that bpftrace needs and this machine lacks.
packages() {
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
		--no-replaces --no-enhances bpftrace | grep '^[a-z]' |
		grep -vxFf <(dpkg-query -W -f '${Package}\n')
}

# download: unpacks the packages into $home/new.
download() {
	local deb
	mkdir -p "$home/debs"
	# shellcheck disable=SC2046
	(cd "$home/debs" && apt-get -qq download $(packages))
	for deb in "$home"/debs/*.deb; do
		dpkg-deb -x "$deb" "$home/new"
	done
	rm -rf "$home/debs"
}

# make_tree PROGRAM: uses libraries of $home/new, if it exists, before the libraries of the machine.
make_tree() {
	local lib=usr/lib/x86_64-linux-gnu file files
	mkdir -p "$home/tree/usr/bin" "$home/tree/$lib"
	files=$(LD_LIBRARY_PATH=$home/new/$lib "$top/tools/guest/root.sh" --libraries "$1")
	for file in $files; do
		case $file in
		*/ld-linux-*) ;;
		*) cp -L "$file" "$home/tree/$lib" ;;
		esac
	done
	cp "$1" "$home/tree/usr/bin/bpftrace"
}

installed=$(type -P bpftrace) || installed=
[ -e "$home/tree/usr/bin/bpftrace" ] && [ ! "$installed" -nt "$home/tree/usr/bin/bpftrace" ] && exit
rm -rf "$home"
[ -n "$installed" ] || download
make_tree "${installed:-$home/new/usr/bin/bpftrace}"
rm -rf "$home/new"
