#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cross.sh BUILD: builds dtrace for arm64 in BUILD/aarch64-linux-gnu, as root, with CFLAGS if they are set.  Compiler and
# libraries are in a root of their own (BUILD/roots/cross), so the packages of this machine stay as they are.  If the
# archive has no arm64 packages, it prints why the build is skipped.
set -eu
cd "${BASH_SOURCE[0]%/*}/.."
[ "$(id -u)" = 0 ] || { echo "cross.sh: a root of Debian needs root; run this as root" >&2; exit 1; }
[ -n "${ROOT_NAMESPACE:-}" ] || exec env ROOT_NAMESPACE=1 unshare --mount --propagation private bash "$0" "$@"
cache=$1/roots
out=$1/aarch64-linux-gnu
work=$(mktemp -d)
. tools/root.sh
trap remove_work EXIT

# The oldest release that has the libraries of the program.
release=bookworm
include=make,gcc-aarch64-linux-gnu
for package in libc6-dev libbpf-dev libelf-dev zlib1g-dev libiberty-dev libcapstone-dev libdw-dev libmicrohttpd-dev \
	libjson-c-dev liblzma-dev libcurl4-openssl-dev libncurses-dev; do
	include+=,$package:arm64
done

if ! has_archive "$release/main/binary-arm64/Release"; then
	echo "skipped (the archive that apt uses here has no packages of arm64): cross"
	echo "1 skipped, 0 on the second run only"
	exit
fi
mkdir -p "$cache" "$out"
make_root cross $release --variant=essential "--architectures=$(dpkg --print-architecture),arm64" "--include=$include" \
	'--dpkgopt=path-exclude=/usr/share/doc/*' '--dpkgopt=path-exclude=/usr/share/man/*' '--dpkgopt=path-exclude=/usr/share/locale/*'

# Files that are equal for every architecture, and the tools of the build, come from this machine's compilers.
make B="$out" DLIB_ARCH=aarch64 "$out/gen/rt.c" "$out/gen/dlib.c"
open_root cross cross
mkdir "$work/cross/source"
mount --bind . "$work/cross/source"
in_root cross 900 "cd /source && make -j$(nproc) V=${V:-} ${CFLAGS:+CFLAGS='$CFLAGS'} CROSS=aarch64-linux-gnu- B=$out -o $out/rt.bpf.o -o $out/embed-rt -o $out/embed-libs"
umount "$work/cross/source"
echo "cross: 1 passed, 0 failed"
