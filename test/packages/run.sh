#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh BUILD [RELEASE...]: packages of these sources, built in a new root of each release of Debian that has but what
# debian/control names, what that release's lintian says of them, and what becomes of them in another new root, that of who
# installs them: inside.sh runs there.  A release that the archive of apt's configuration has not is skipped.
#
# What roots have before is kept in BUILD/packages, with all packages that are installed later in the cache of apt: what is
# tested has no network but one of its own, which ends with it, as do its mounts.
set -u
export LC_ALL=C
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
cache=$1/packages
shift
releases=${*:-bookworm trixie}
skipped=0
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the root of a user has, and what it can install; names that a release has not are left out.
base=bash-completion,ca-certificates,curl,gcc,libc6-dev,make,man-db,pkgconf,prometheus,python3,systemd
later="libbpf1 libelf1 libelf1t64 libdw1 libdw1t64 libmicrohttpd12 libmicrohttpd12t64 libcapstone4 libcapstone5 libjson-c5 libncursesw6
	libcurl4 libcurl4t64 systemtap-sdt-dev"

# What takes OTLP is in Debian since 13.
collectors() {
	[ "$1" = bookworm ] || echo ,victoria-metrics
}

# What building them asks for, without versions.
builds=build-essential,lintian,$(sed -n '/^Build-Depends/,/^Standards/p' debian/control |
	sed '$d; s/^Build-Depends://; s/([^)]*)//g' | tr -d ' \n')

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

# make_root NAME RELEASE OPTION...: a root of that release as mmdebstrap makes it, kept by its name.
make_root() {
	local name=$1 wanted="$*"
	shift
	[ "$(cat "$cache/$name.wanted" 2>/dev/null)" = "$wanted" ] && [ -s "$cache/$name.tar" ] && return
	mmdebstrap --quiet --variant=apt "${@:2}" "$1" "$cache/$name.new.tar" "$(tools/archive.sh)" &&
		mv "$cache/$name.new.tar" "$cache/$name.tar" &&
		echo "$wanted" >"$cache/$name.wanted"
}

# unpack NAME: that root, as a folder of the test.
unpack() {
	mkdir "$work/$1"
	tar -xf "$cache/$1.tar" -C "$work/$1" --numeric-owner
}

# in_root NAME SECONDS COMMAND...: with this kernel's /proc and /sys; what takes longer is ended.
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

# booted NAME SECONDS COMMAND...: in that root, started by systemd with processes, cgroups and a network of its own; what
# is the machine's it can only read.
booted() {
	local root=$work/$1 cgroup boot status
	cgroup=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/dtr-$1-$$
	mkdir "$cgroup"
	(
		echo $BASHPID >"$cgroup/cgroup.procs"
		exec unshare --mount --net --pid --cgroup --ipc --uts --fork --kill-child --propagation private sh -eu -c '
			root=$1
			ip link set lo up
			mount --bind "$root" "$root"
			mount -t proc proc "$root/proc"
			mount --bind "$root/proc/sys" "$root/proc/sys"
			mount -o remount,bind,ro "$root/proc/sys"
			mount --rbind /sys "$root/sys"
			umount -l "$root/sys/fs/cgroup"
			mount -t cgroup2 none "$root/sys/fs/cgroup"
			mount -t tmpfs none "$root/run"
			mount -t tmpfs none "$root/dev"
			mkdir "$root/dev/pts" "$root/dev/shm"
			ln -s /proc/self/fd "$root/dev/fd"
			for name in null zero full random urandom; do
				: >"$root/dev/$name"
				mount --bind "/dev/$name" "$root/dev/$name"
			done
			exec env -i container=chroot PATH=/usr/sbin:/usr/bin chroot "$root" /lib/systemd/systemd' sh "$root"
	) </dev/null >"$work/$1.boot" 2>&1 &
	boot=$!
	for _ in {1..300}; do
		in_booted $boot 20 'systemctl is-active multi-user.target' && break
		sleep 0.2
	done >>"$work/$1.boot" 2>&1
	in_booted $boot "${@:2}"
	status=$?
	[ $status = 0 ] || cat "$work/$1.boot"
	kill -KILL $boot
	wait $boot 2>/dev/null
	for _ in {1..50}; do
		find "$cgroup" -depth -type d -exec rmdir {} \; 2>/dev/null
		[ -d "$cgroup" ] || break
		sleep 0.1
	done
	return $status
}

# in_booted PID SECONDS COMMAND...: where the child of that process is.
in_booted() {
	local init
	init=$(pgrep -P "$1")
	nsenter --target "$init" --mount --pid --net --root --wd="/proc/$init/root" -- env -i \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 timeout -k 5 "$2" bash -c "$3" </dev/null
}

# step TEXT COMMAND...: one check.
step() {
	local text=$1 log
	shift
	log=$(mktemp -p "$work")
	if "$@" >"$log" 2>&1; then
		echo "$text: 1 passed, 0 failed"
	else
		tail -n 40 "$log"
		echo "FAILED: $text"
		echo "$text: 0 passed, 1 failed"
		return 1
	fi
}

# build RELEASE: its packages, in /packages of its root.
build() {
	local root=$work/$1-build
	unpack "$1-build"
	mkdir "$root/source"
	tools/sources.sh | tar -x -C "$root/source"
	in_root "$1-build" 900 'cd /source && DEB_BUILD_OPTIONS=nocheck tools/deb.sh /packages'
}

# The user's root is made beside the build's.
test_release() {
	local release=$1 root=$work/$1 user
	step "a root of $release" make_root "$release" "$release" --include="$base$(collectors "$release")" --skip=cleanup/apt --customize-hook="$download" \
		>"$work/$release.user" &
	user=$!
	step "a root of $release that builds" make_root "$release-build" "$release" --include="$builds" &&
		step "packages built in $release" build "$release" &&
		step "lintian of $release" in_root "$release-build" 300 \
			'lintian --allow-root --fail-on error,warning /packages/*.changes'
	wait $user
	cat "$work/$release.user"
	[ -e "$cache/$release.tar" ] && ls "$work/$release-build"/packages/*.deb >/dev/null 2>&1 || return
	unpack "$release"
	mkdir "$root/test"
	cp test/packages/inside.* "$work/$release-build"/packages/*.deb "$root/test"
	rm -rf "$root"/test/*-dbgsym_* "$work/$release-build"
	in_root "$release" 300 'bash /test/inside.sh'
	cp test/packages/services.sh "$root/test"
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
	in_root "$release" 60 'apt-get -qq install /test/dtrace_*.deb; systemctl mask prometheus victoria-metrics' >/dev/null 2>&1
	booted "$release" 120 'bash /test/services.sh'
	rm -rf "$root"
}

# add RELEASE: what it printed, and the sums of its lines.
add() {
	local log=$work/$1.log good bad of
	read -r good bad < <(awk '/: [0-9]+ passed, [0-9]+ failed$/ { good += $(NF - 3); bad += $(NF - 1) } END { print good + 0, bad + 0 }' "$log")
	grep -v ' passed, [0-9]* failed$' "$log"
	# What inside.sh and services.sh say at their ends, or they have not come to it.
	for of in "$1" "services in $1"; do
		grep -q "^$of: [0-9]* passed, " "$log" || bad=$((bad + 1))
	done
	echo "$1: $bad of $((good + bad)) not ok"
	passed=$((passed + good))
	failed=$((failed + bad))
}

main() {
	local release
	declare -A jobs
	mkdir -p "$cache"
	for release in $releases; do
		if is_reachable "$release"; then
			test_release "$release" >"$work/$release.log" 2>&1 &
			jobs[$release]=$!
		else
			echo "skipped (the archive that apt uses here has not got it): packages in $release"
			skipped=$((skipped + 1))
		fi
	done
	for release in $releases; do
		[ -n "${jobs[$release]-}" ] || continue
		wait "${jobs[$release]}"
		add "$release"
	done
}

main
echo "$skipped skipped, 0 on the second run only"
echo "packages: $passed passed, $failed failed"
[ $failed = 0 ]
