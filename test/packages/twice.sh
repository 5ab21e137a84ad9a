#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# twice.sh BUILD: builds the packages twice, here and from their source package, and compares them.  The second build is in
# a longer folder, as nobody, with another umask, locale, time zone and number of processors.  It has no network and no
# /sys, and it runs the tests.
set -u
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$1/deb-twice.log
passed=0
failed=0

here() {
	umask 022
	LC_ALL=C TZ=UTC DEB_BUILD_OPTIONS=nocheck tools/deb.sh "$work/here"
}

elsewhere() {
	local folder="$work/else/where"
	chmod 755 "$work"
	mkdir -p "$folder"
	chown 65534:65534 "$work/else" "$folder"
	unshare --mount --net --propagation private sh -eu -c '
		mount -t tmpfs none /sys
		cd "$1"
		umask 027
		exec setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 \
			TZ=Asia/Tokyo DEB_BUILD_OPTIONS=parallel=1 \
			sh -eu -c "dpkg-source -x \"\$1\" tree && cd tree && dpkg-buildpackage --no-sign -b" sh "$2"' \
		sh "$folder" "$(echo "$work"/here/*.dsc)" </dev/null && mv "$folder" "$work/there"
}

rm -rf "$log.d"
{ here && elsewhere; } >"$log" 2>&1 || { tail -n 40 "$log"; failed=1; }
for deb in "$work"/here/*.deb; do
	if cmp "$deb" "$work/there/${deb##*/}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: ${deb##*/} is not the same"
		mkdir -p "$log.d/here" "$log.d/there"
		cp "$deb" "$log.d/here"
		cp "$work/there/${deb##*/}" "$log.d/there"
	fi
done
echo "twice: $passed passed, $failed failed"
[ $failed = 0 ]
