#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest.sh VERSION COMMAND: runs a shell command under Debian's kernel VERSION (6.12 or 6.1) in QEMU
# and ends with its status; its output is this script's output.  The guest is emulated, so that no
# virtualization is needed, and lives in memory: nothing it does outlasts it.
#
# In the guest /main holds build/dtrace (or the program that $DTRACE names), the D libraries, dwatch,
# the scripts, test/exec, test/kern and the programs they use; the command runs there.  The kernel's own console goes to
# build/guest/VERSION/console.
#
# GUEST_PORTS: NAME=SOCKET ...: ports of virtio-serial by these names, each a socket here.
# GUEST_TAP: a network device here that is the other end of eth0 there, whose address its name gives.
# GUEST_NAME: what QEMU calls the guest; GUEST_PIDFILE: where it writes the number of its process.
# GUEST_TREE: a folder whose files are put into the guest's root, too.
# GUEST_TIME: seconds after which the guest is ended (status 124); GUEST_MEMORY: its size in MB.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
version=${1:?usage: guest.sh VERSION COMMAND}
command=${2:?usage: guest.sh VERSION COMMAND}
home=$top/build/guest/$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/guest/fetch.sh" "$version" && "$top/tools/guest/root.sh" "$version" || exit 125

# add_program FILE NAME: puts it and its libraries into the tree.
add_program() {
	local file
	[ -e "$1" ] || return
	mkdir -p "$(dirname "$work/tree/main/build/$2")"
	cp "$1" "$work/tree/main/build/$2"
	for file in $("$top/tools/guest/root.sh" --libraries "$1"); do
		mkdir -p "$work/tree/usr${file%/*}"
		cp -L "$file" "$work/tree/usr${file#/usr}"
	done
}

# The part of the file system that changes: the tree's files and the command.
make_tree() {
	mkdir -p "$work/tree/guest" "$work/tree/main/build"
	printf '%s\n' "$command" >"$work/tree/guest/command"
	add_program "${DTRACE:-$top/build/dtrace}" dtrace
	for file in "$top"/build/test-*; do
		add_program "$file" "${file##*/}"
	done
	add_program "$top/build/test/gen_run" test/gen_run
	(cd "$top" && tar -c dlib dwatch scripts test/exec test/kern) | tar -x -C "$work/tree/main"
	python3 "$top/test/kern/guide.py" --whole "$top/README.md" "$top"/docs/*.md >"$work/tree/main/build/guide-whole"
	[ -z "${GUEST_TREE:-}" ] || cp -rL "$GUEST_TREE/." "$work/tree"
	(cd "$work/tree" && find . | cpio -o -H newc --quiet -R 0:0) >"$work/tree.cpio"
	cat "$home/root.cpio" "$work/tree.cpio" >"$work/initrd"
}

# One thread emulates both processors: with a thread each, a processor was seen to trap at a byte of code
# that the other had already changed back (the kernel patches its branches through int3, jump_label.c),
# which no real one does and the kernel takes for a bug: it panics.
#
# QEMU translates the code of a program anew wherever it is mapped, so that random addresses (norandmaps) cost most of
# the time of a process that soon ends.  It emulates "rep" byte by byte, and the kernel clears and copies pages with it
# (clearcpuid: rep_good, erms; arch/x86/include/asm/cpufeatures.h).  Hardening that touches each page or checks each copy
# once more, and the processor's own checks of addresses, are emulated dearly, too.
quick="norandmaps clearcpuid=112,297 init_on_alloc=0 hardened_usercopy=off randomize_kstack_offset=off apparmor=0"

boot() {
	local more=(-name "${GUEST_NAME:-guest}") port
	[ -z "${GUEST_PORTS:-}" ] || more+=(-device virtio-serial-pci)
	for port in ${GUEST_PORTS:-}; do
		more+=(-chardev "socket,path=${port#*=},server=on,wait=off,id=${port%%=*}"
			-device "virtserialport,chardev=${port%%=*},name=${port%%=*}")
	done
	[ -z "${GUEST_PIDFILE:-}" ] || more+=(-pidfile "$GUEST_PIDFILE")
	[ -z "${GUEST_TAP:-}" ] || more+=(-netdev "tap,id=net,ifname=$GUEST_TAP,script=no,downscript=no"
		-device "virtio-net-pci,netdev=net,romfile=,mac=52:54:00:$(md5sum <<<"$GUEST_TAP" |
			sed 's/^\(..\)\(..\)\(..\).*/\1:\2:\3/')")
	timeout --foreground -k 5 "${GUEST_TIME:-900}" qemu-system-x86_64 "${more[@]}" \
		-accel tcg,thread=single -cpu max,-la57,-smap,-smep,-umip,-erms,-fsrm -machine q35,usb=off,smbus=off,sata=off \
		-smp 2 -m "${GUEST_MEMORY:-1536}" -nodefaults -display none -no-reboot \
		-kernel "$home/vmlinuz" -initrd "$work/initrd" -serial stdio \
		-serial "file:$home/console" -append "console=ttyS1 loglevel=5 panic=-1 \
tsc=reliable no_timer_check mitigations=off $quick audit=0 random.trust_cpu=on" </dev/null
}

make_tree
boot
status=$?
[ $status = 124 ] && { echo "guest.sh: the guest took too long" >&2; exit 124; }
status=$(sed -n 's/^.*guest-exit \([0-9]*\).*/\1/p' "$home/console" | tail -1)
if [ -z "$status" ]; then
	echo "guest.sh: the guest did not finish; the end of its console:" >&2
	tail -n 30 "$home/console" >&2
	exit 125
fi
exit "$status"
