#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh BUILD [RELEASE...]: builds packages of these sources in a root of each Debian release with the packages in
# debian/control.  The newest lintian checks them.  Then inside.sh and services.sh run in a root like a user's.  A release
# is skipped if the archive in apt's configuration lacks it.
#
# BUILD/roots keeps a root for each release, with all packages that are installed later in apt's cache.  The tested
# system has only a network of its own, which ends with it, as do its mounts.
set -u
export LC_ALL=C
[ -n "${ROOT_NAMESPACE:-}" ] || exec env ROOT_NAMESPACE=1 unshare --mount --propagation private bash "$0" "$@"
cd "${BASH_SOURCE[0]%/*}/../.." || exit 2
cache=$1/roots
shift
newest=trixie
releases=${*:-bookworm $newest}
skipped=0
passed=0
failed=0
work=$(mktemp -d)
. tools/root.sh
trap remove_work EXIT

# Packages in the root of a user, and packages for later installation; names that a release lacks are left out.
base=bash-completion,ca-certificates,curl,gcc,libc6-dev,make,man-db,pkgconf,prometheus,python3,systemd
later="libbpf1 libelf1 libelf1t64 libdw1 libdw1t64 libmicrohttpd12 libmicrohttpd12t64 libcapstone4 libcapstone5 libjson-c5 liblzma5 libncursesw6
	libcurl4 libcurl4t64 systemtap-sdt-dev"

# collectors RELEASE: Debian has a collector for OTLP since 13.
collectors() {
	[ "$1" = bookworm ] || echo ,victoria-metrics
}

# builds RELEASE: prints the packages that building requires, without versions.
builds() {
	echo build-essential
	[ "$1" != $newest ] || echo lintian
	sed -n '/^Build-Depends/,/^Standards/p' debian/control | sed '$d; s/^Build-Depends://; s/([^)]*)//g' | tr -d ' ,'
}

# download NAMES...: prints a hook that brings packages into apt's cache.  The packages of one call must fit together, so
# the names of users and of builders need a call each.
download() {
	echo "for name in $*; do
		if chroot \"\$1\" apt-cache show \"\$name\" >/dev/null 2>&1; then set -- \"\$@\" \"\$name\"; fi
	done
	root=\$1
	shift
	chroot \"\$root\" apt-get -qq install --no-install-recommends --download-only \"\$@\""
}

# booted NAME SECONDS COMMAND...: runs the command in that root, started by systemd with processes, cgroups and a network
# of its own.  The command can read, but not change, the machine.
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

# in_booted PID SECONDS COMMAND...: runs it in the namespaces of that process's child.
in_booted() {
	local init
	init=$(pgrep -P "$1")
	nsenter --target "$init" --mount --pid --net --root --wd="/proc/$init/root" -- env -i \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 timeout -k 5 "$2" bash -c "$3" </dev/null
}

# step TEXT COMMAND...: runs one check.
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

# build RELEASE: makes its packages, into $work/RELEASE-packages, without optimization, which takes longest.
build() {
	local name=$1-build options="nocheck noopt"
	[ "$1" = $newest ] || options+=" noautodbgsym"
	in_root "$name" 1200 "apt-get -qq install --no-install-recommends $(builds "$1" | xargs)" || return
	mkdir "$work/$name/source"
	tools/sources.sh | tar -x -C "$work/$name/source"
	in_root "$name" 1800 "cd /source && DEB_BUILD_OPTIONS='$options' tools/deb.sh /packages" &&
		cp -r "$work/$name/packages" "$work/$1-packages"
}

# test_release RELEASE: runs all checks of the release.
test_release() {
	local release=$1 root=$work/$1
	step "a root of $release" make_root "$release" "$release" --variant=apt --include="$base$(collectors "$release")" \
		--skip=cleanup/apt --customize-hook="$(download $later)" --customize-hook="$(download $(builds "$release"))" || return
	open_root "$release" "$release-build"
	step "packages built in $release" build "$release" && [ "$release" = $newest ] &&
		step "lintian of $release" in_root "$release-build" 1200 \
			'lintian --allow-root --fail-on error,warning /packages/*.changes'
	close_root "$release-build"
	[ -d "$work/$release-packages" ] || return
	open_root "$release" "$release"
	mkdir "$root/test"
	cp test/checks.sh test/packages/inside.* test/packages/services.sh "$work/$release-packages"/*.deb "$root/test"
	rm -f "$root"/test/*-dbgsym_*
	in_root "$release" 1200 'bash /test/inside.sh'
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
	in_root "$release" 300 'apt-get -qq install /test/dtrace_*.deb; systemctl mask prometheus victoria-metrics' >/dev/null 2>&1
	booted "$release" 600 'bash /test/services.sh'
	close_root "$release"
}

# add RELEASE: prints its output, and adds the sums of its lines.
add() {
	local log=$work/$1.log good bad of
	read -r good bad < <(awk '/: [0-9]+ passed, [0-9]+ failed$/ { good += $(NF - 3); bad += $(NF - 1) } END { print good + 0, bad + 0 }' "$log")
	grep -v ' passed, [0-9]* failed$' "$log"
	# A missing last line of inside.sh or services.sh means that the script did not reach its end.
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
		if has_archive "$release/InRelease"; then
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
