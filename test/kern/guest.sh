#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest.sh VERSION COMMAND: runs a shell command under Debian's kernel VERSION (6.12 or 6.1) in QEMU and ends with
# its status.  The command's output is this script's output.  The guest is emulated, so no virtualization is needed.
# It lives in memory, so nothing that it does outlasts it.
#
# In the guest, the command runs in /main.  It has build/dtrace (or the program that $DTRACE names), the D libraries,
# dwatch, the scripts, test/exec, test/kern and the programs they use.
#
# GUEST_PORTS: NAME=SOCKET ...: ports of virtio-serial with these names; each is a socket on this machine.
# GUEST_TAP: a network device of this machine that is connected to eth0 of the guest; its name gives the guest's
# address.
# GUEST_NAME: the name of the guest in QEMU; GUEST_PIDFILE: the file for the process id of QEMU.
# GUEST_CONSOLE: the file in build/guest/VERSION that the kernel's own messages go to (console).
# GUEST_TREE: a folder whose files are added to the guest's root.
# GUEST_TIME: seconds after which the guest is killed (status 124); GUEST_MEMORY: its size in MB.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
version=${1:?usage: guest.sh VERSION COMMAND}
command=${2:?usage: guest.sh VERSION COMMAND}
home=$top/build/guest/$version
console=$home/${GUEST_CONSOLE:-console}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/guest/fetch.sh" "$version" && "$top/tools/guest/root.sh" "$version" || exit 125

# add_program FILE NAME: copies the program and its libraries into the tree.
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

# The part of the file system that changes: the files of the source tree and the command.
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

# A single thread emulates both processors.  With a thread for each, a processor was seen to trap at a byte of code
# that the other had already restored (the kernel patches its branches through int3, jump_label.c).  No real
# processor does that, and the kernel takes it for a bug and panics.
#
# QEMU translates the code of a program anew wherever it is mapped, so random addresses (norandmaps) would cost most of
# the time of a short process.  It emulates "rep" byte by byte, and the kernel clears and copies pages with it
# (clearcpuid: rep_good, erms; arch/x86/include/asm/cpufeatures.h).  Hardening that touches each page or checks each copy
# once more is expensive to emulate, and so are the processor's own checks of addresses.
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
		-serial "file:$console" -append "console=ttyS1 loglevel=5 panic=-1 \
tsc=reliable no_timer_check mitigations=off $quick audit=0 random.trust_cpu=on" </dev/null
}

make_tree
boot
status=$?
[ $status = 124 ] && { echo "guest.sh: the guest took too long" >&2; exit 124; }
status=$(sed -n 's/^.*guest-exit \([0-9]*\).*/\1/p' "$console" | tail -1)
if [ -z "$status" ]; then
	echo "guest.sh: the guest did not finish; the end of its console:" >&2
	tail -n 30 "$console" >&2
	exit 125
fi
exit "$status"
