#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh BUILD [RELEASE...]: the packages of these sources (BUILD/deb; made if something here is newer), what lintian says of
# them, and what becomes of them in new roots of the releases of Debian: inside.sh runs there.  A release is skipped that is
# older than this machine's, whose C library may be too old for what is built here, or that the archive of apt's configuration
# has not.
#
# What a root has before is kept in BUILD/packages/RELEASE.tar, with all packages that are installed later in the cache of
# apt, so that the test itself needs no network; it has one of its own, which ends with it, as do its mounts.
set -u
export LC_ALL=C
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
build=$1
shift
releases=${*:-bookworm trixie}
declare -A number=([bookworm]=12 [trixie]=13)
cache=$build/packages
skipped=0
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a root is made of, and what it can install; names that a release has not are left out.
base=bash-completion,ca-certificates,curl,man-db,pkgconf,python3
later="libbpf1 libelf1 libelf1t64 libdw1 libdw1t64 libmicrohttpd12 libmicrohttpd12t64 libcapstone4 libcapstone5 libjson-c5 libncursesw6
	systemtap-sdt-dev"

skip() {
	echo "skipped ($2): packages in $1"
	skipped=$((skipped + 1))
}

# is_older RELEASE: than this machine's; the one to come has no number.
is_older() {
	local here
	here=$(. /etc/os-release && echo "${VERSION_ID-99}")
	[ "${number[$1]-0}" -lt "${here%%.*}" ]
}

is_reachable() {
	local uri
	uri=$(tools/archive.sh) &&
		/usr/lib/apt/apt-helper download-file "${uri%/}/dists/$1/InRelease" "$work/InRelease" >"$work/reach.log" 2>&1
}

# download ROOT: packages into the cache of apt there.
download='
for name in '$(echo $later)'; do
	if chroot "$1" apt-cache show "$name" >/dev/null 2>&1; then set -- "$@" "$name"; fi
done
root=$1
shift
chroot "$root" apt-get -qq install --download-only "$@"
'

make_root() {
	local release=$1 wanted="$base $later"
	[ "$(cat "$cache/$release.wanted" 2>/dev/null)" = "$wanted" ] && [ -s "$cache/$release.tar" ] && return
	mkdir -p "$cache"
	mmdebstrap --quiet --variant=apt --include="$base" --skip=cleanup/apt --customize-hook="$download" \
		"$release" "$cache/$release.new.tar" "$(tools/archive.sh)" &&
		mv "$cache/$release.new.tar" "$cache/$release.tar" &&
		echo "$wanted" >"$cache/$release.wanted"
}

# The tests of the sources are other steps of the check.
make_packages() {
	[ -e "$build/deb/done" ] && [ -z "$(find . -path "./$build" -prune -o -path ./.git -prune -o \
		-newer "$build/deb/done" -type f -print -quit)" ] && return
	DEB_BUILD_OPTIONS="nocheck ${DEB_BUILD_OPTIONS-}" tools/deb.sh "$build/deb" && touch "$build/deb/done"
}

# in_root RELEASE: inside.sh in a new root, with this kernel's /proc and /sys; what hangs is ended.
in_root() {
	local root=$work/root-$1
	mkdir "$root"
	tar -xf "$cache/$1.tar" -C "$root" --numeric-owner
	mkdir "$root/test"
	cp test/packages/inside.* "$root/test"
	cp "$build"/deb/*.deb "$root/test"
	rm "$root"/test/*-dbgsym_*
	unshare --mount --net --propagation private sh -eu -c '
		ip link set lo up
		for dir in proc sys dev/pts; do mount --rbind "/$dir" "$1/$dir"; done
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
			timeout -k 5 300 chroot "$1" bash /test/inside.sh' sh "$root" </dev/null
	rm -rf "$root"
}

# add NAME: what it printed, and the sums of its last line.
add() {
	local log=$work/$1.log good bad
	read -r good bad < <(sed -n '$s/.*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
	grep -v ' passed, [0-9]* failed$' "$log"
	echo "$1: ${bad:-1} of $((${good:-0} + ${bad:-1})) not ok"
	passed=$((passed + ${good:-0}))
	failed=$((failed + ${bad:-1}))
}

# job NAME COMMAND...: in the background; its log is added when it has ended.
job() {
	local name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 &
	jobs[$name]=$!
}

# ended NAME TEXT: has it succeeded?
ended() {
	wait "${jobs[$1]}" && return
	tail -n 40 "$work/$1.log"
	echo "FAILED: $2"
	failed=$((failed + 1))
	return 1
}

lint() {
	if lintian --allow-root --fail-on error,warning "$build"/deb/*.changes; then
		echo "lintian: 1 passed, 0 failed"
	else
		echo "lintian: 0 passed, 1 failed"
	fi
}

main() {
	local release tested=() logs=()
	declare -A jobs
	job packages make_packages
	for release in $releases; do
		if is_older "$release"; then
			skip "$release" "it is older than this machine's release"
		elif ! is_reachable "$release"; then
			skip "$release" "the archive that apt uses here has not got it"
		else
			tested+=("$release")
			job "root-$release" make_root "$release"
		fi
	done
	ended packages "packages can be built" || return
	job lintian lint
	logs=(lintian)
	for release in "${tested[@]}"; do
		ended "root-$release" "a root of $release can be made" || continue
		job "$release" in_root "$release"
		logs+=("$release")
	done
	for release in "${logs[@]}"; do
		wait "${jobs[$release]}"
		add "$release"
	done
}

main
echo "$skipped skipped, 0 on the second run only"
echo "packages: $passed passed, $failed failed"
[ $failed = 0 ]
