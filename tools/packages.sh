#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# packages.sh [--missing] build|demo|test|guest|fuzz|deb|root: installs the missing Debian packages of a set.  The sets are
# for building, the demonstration, all tests, tests in guests, fuzzing, making packages, and roots of Debian (testing
# packages, building for arm64).  If nothing is missing, it does nothing and prints nothing.
#
# --missing installs nothing: it prints a line for each missing thing, the program or file and its package ("nginx
# nginx-light").  The status is 0.
#
# A file may be a pattern.  The check is for the program or file, not for the package.  A program can come from
# another package than the package named here (iproute2 from a vendor, gcc by hand).
set -eu

# Each row: a program, or a file by its path, and the package that contains it.
build_needs='
gcc gcc
make make
clang clang
/usr/include/bpf/libbpf.h libbpf-dev
/usr/include/libelf.h libelf-dev
/usr/include/zlib.h zlib1g-dev
/usr/include/libiberty/demangle.h libiberty-dev
/usr/include/capstone/capstone.h libcapstone-dev
/usr/include/elfutils/libdwfl.h libdw-dev
/usr/include/microhttpd.h libmicrohttpd-dev
/usr/include/json-c/json.h libjson-c-dev
/usr/include/lzma.h liblzma-dev
curl-config libcurl4-openssl-dev
/usr/include/curses.h libncurses-dev
'
network_needs='
ip iproute2
nsenter util-linux
ping iputils-ping
curl curl
nginx nginx-light
dig bind9-dnsutils
dnsmasq dnsmasq-base
tcpdump tcpdump
'
test_needs='
iperf3 iperf3
nc netcat-openbsd
mawk mawk
mkfs.ext4 e2fsprogs
losetup mount
dmsetup dmsetup
clang-format clang-format
mandoc mandoc
zsh zsh
fish fish
prometheus prometheus
ps procps
strace strace
openssl openssl
perf linux-perf
iostat sysstat
gdb gdb
readelf binutils
javac default-jdk-headless
node nodejs
sshd openssh-server
ssh openssh-client
python3 python3
pkg-config pkgconf
g++ g++
valgrind valgrind
ruby ruby
php php-cli
/usr/sbin/php-fpm8.* php-fpm
/usr/lib/postgresql postgresql
objdump binutils
chromium chromium
chromedriver chromium-driver
/usr/lib/python3/dist-packages/selenium python3-selenium
/usr/lib/python3/dist-packages/pyte python3-pyte
/usr/lib/python3/dist-packages/html5lib python3-html5lib
/usr/share/fonts/truetype/dejavu fonts-dejavu-core
xmllint libxml2-utils
tidy tidy
protoc protobuf-compiler
babeltrace2 babeltrace2
'
guest_needs='
qemu-system-x86_64 qemu-system-x86
cpio cpio
xz xz-utils
depmod kmod
/usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
'
fuzz_needs='
/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a libclang-rt-dev
'
deb_needs='
dpkg-buildpackage dpkg-dev
dh debhelper
dh_python3 dh-python
xz xz-utils
'
root_needs='
mmdebstrap mmdebstrap
ip iproute2
unshare util-linux
/usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
'
needs() {
	case $1 in
	build) echo "$build_needs" ;;
	demo) echo "$build_needs$network_needs" ;;
	test) echo "$build_needs$network_needs$test_needs$guest_needs$fuzz_needs$root_needs" ;;
	guest) echo "$build_needs$network_needs$guest_needs" ;;
	fuzz) echo "$build_needs$fuzz_needs" ;;
	deb) echo "$build_needs$deb_needs" ;;
	root) echo "$build_needs$root_needs" ;;
	*) echo "usage: packages.sh [--missing] build|demo|test|guest|fuzz|deb|root" >&2; return 2 ;;
	esac
}

is_here() {
	case $1 in
	/*) compgen -G "$1" >/dev/null ;;
	*) PATH=$PATH:/usr/sbin:/sbin type -P "$1" >/dev/null ;;
	esac
}

# missing_of SET: prints "THING PACKAGE" for each missing thing.
missing_of() {
	local rows thing package
	rows=$(needs "$1") || return
	while read -r thing package; do
		[ -z "$thing" ] || is_here "$thing" || echo "$thing $package"
	done <<<"$rows"
}

list=
if [ "${1:-}" = --missing ]; then
	list=yes
	shift
fi
rows=$(missing_of "${1:-}")
if [ -n "$list" ]; then
	[ -z "$rows" ] || echo "$rows"
	exit 0
fi
[ -n "$rows" ] || exit 0
mapfile -t missing < <(awk '{ print $2 }' <<<"$rows")

if [ "$(id -u)" != 0 ] || ! type -P apt-get >/dev/null; then
	echo "These Debian packages are missing: ${missing[*]}; install them, or run this as root." >&2
	exit 1
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
