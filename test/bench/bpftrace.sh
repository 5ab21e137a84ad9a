#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bpftrace.sh: bpftrace and its libraries as a tree in build/bench/bpftrace/tree, from the package of this
# machine's distribution, which is never installed.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
home=$top/build/bench/bpftrace

# Packages that it needs and this machine has not.
packages() {
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
		--no-replaces --no-enhances bpftrace | grep '^[a-z]' |
		grep -vxFf <(dpkg-query -W -f '${Package}\n')
}

[ -e "$home/tree/usr/bin/bpftrace" ] && exit
rm -rf "$home"
mkdir -p "$home/debs"
# shellcheck disable=SC2046
(cd "$home/debs" && apt-get -qq download $(packages))
for deb in "$home"/debs/*.deb; do
	dpkg-deb -x "$deb" "$home/new"
done
mkdir -p "$home/tree/usr/bin" "$home/tree/usr/lib/x86_64-linux-gnu"
export LD_LIBRARY_PATH=$home/new/usr/lib/x86_64-linux-gnu
for file in $("$top/tools/guest/root.sh" --libraries "$home/new/usr/bin/bpftrace"); do
	case $file in
	*/ld-linux-*) ;;
	*) cp -L "$file" "$home/tree/usr/lib/x86_64-linux-gnu" ;;
	esac
done
unset LD_LIBRARY_PATH
cp "$home/new/usr/bin/bpftrace" "$home/tree/usr/bin"
rm -rf "$home/debs" "$home/new"
