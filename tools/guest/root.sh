#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# root.sh VERSION: makes build/guest/VERSION/root.cpio, the constant part of a guest's file system.  It has programs
# of this machine that tests use, their shared libraries, the kernel's modules, and init.  The file is kept until
# this folder changes.
#
# root.sh --libraries FILE...: prints the shared libraries that these programs need.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/build/guest

programs="bash sh mount umount insmod ip tc nsenter ping curl nginx dig dnsmasq iperf3 nc.openbsd tcpdump
	ss nstat mawk sed grep cat cp mv rm ln ls mkdir mkfifo mktemp rmdir chmod touch head tail tee wc sort
	uniq cut tr seq sleep timeout stdbuf date echo printf env id kill true false test stty
	basename dirname readlink realpath find xargs diff cmp od ps setsid taskset nproc uname dd truncate
	sync expr yes getent fold paste comm unshare losetup blkdiscard mknod mkfs.ext4 dmsetup"
files="/etc/protocols /etc/services /usr/libexec/coreutils/libstdbuf.so
	$(ldconfig -p | sed -n 's/.*lib\(capstone\|dw\).so.[0-9]* .*x86-64.*=> //p')"

# Only the debug file of the C library names the function that makes its system calls (glibc 2.41).
id=$(readelf -n "$(ldconfig -p | sed -n 's/.*libc.so.6 .*x86-64.*=> //p' | head -n 1)" | sed -n 's/.*Build ID: //p')
debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
[ ! -e "$debug" ] || files+=" $debug"

libraries() {
	local file
	for file; do
		ldd "$file" 2>/dev/null || true
	done | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) print $i }' | sort -u
}

skeleton() {
	mkdir -p "$1"/{etc,proc,sys,dev,tmp,run,root,var/log,var/lib/misc,var/log/nginx,guest,main}
	mkdir -p "$1"/{usr/bin,usr/sbin,usr/lib,usr/lib64,usr/libexec}
	ln -s usr/bin usr/sbin usr/lib usr/lib64 "$1"
	printf 'root:x:0:0::/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n' >"$1/etc/passwd"
	printf 'root:x:0:\nnogroup:x:65534:\n' >"$1/etc/group"
	echo 'hosts: files dns' >"$1/etc/nsswitch.conf"
	echo '127.0.0.1 localhost' >"$1/etc/hosts"
	mkdir -p "$1/etc/alternatives"
}

# Programs are copied by name, so links such as nc and awk become ordinary files.
add_programs() {
	local root=$1 name file list=()
	for name in $programs; do
		file=$(readlink -f "$(type -P "$name")") ||
			{ echo "root.sh: no program $name here" >&2; exit 1; }
		cp "$file" "$root/usr/bin/${name%.openbsd}"
		list+=("$file")
	done
	ln -s mawk "$root/usr/bin/awk"
	# shellcheck disable=SC2086
	for file in $(libraries "${list[@]}" $files) $files; do
		mkdir -p "$root${file%/*}"
		cp -L "$file" "$root$file"
	done
}

main() {
	local version=$1 out=$cache/$1/root.cpio root
	if [ -z "$(find "$here" "$cache/$version/vmlinuz" -newer "$out" 2>&1)" ]; then
		return
	fi
	root=$(mktemp -d)
	skeleton "$root"
	add_programs "$root"
	cp -r "$cache/$version"/{modules,later} "$root/guest"
	install -m 755 "$here/init" "$root/init"
	(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0) >"$out.new"
	rm -rf "$root"
	mv "$out.new" "$out"
}

if [ "${1:?usage: root.sh VERSION}" = --libraries ]; then
	shift
	libraries "$@"
else
	main "$1"
fi
