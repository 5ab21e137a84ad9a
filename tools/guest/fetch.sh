#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fetch.sh VERSION: puts Debian's packaged kernel VERSION (6.12 or 6.1) into build/guest/VERSION: vmlinuz, and
# modules/NN-NAME.ko, which are inserted in the order of their names.  later/NN-NAME.ko are inserted by the tests
# that need them, so that other tests run without them.
#
# The package is downloaded and unpacked, never installed.  apt works in a directory of its own (build/guest/apt),
# so the machine's package lists and sources stay as they are.  The archive is the one in the machine's own
# configuration.  An existing kernel is kept.
set -eu -o pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cache=$top/build/guest
version=${1:?usage: fetch.sh VERSION}
apt=$cache/apt-$version
modules="geneve af_packet tcp_diag udp_diag veth bridge macvlan vxlan dummy sctp sch_netem
	loop ext4 dm_mod zram virtio_pci virtio_console virtio_net"
later="tun nfsd nfsv4 vsock_loopback 8021q ipip sit ip_gre ip6_tunnel ip6_gre nft_chain_nat nft_masq nft_nat"

suite_of() {
	case $1 in
	6.12) echo trixie ;;
	6.1) echo bookworm ;;
	*) echo "fetch.sh: no kernel $1: there are 6.12 and 6.1" >&2; exit 2 ;;
	esac
}

# Options of every apt command: all state is below $apt, and logs stay short.
apt_options() {
	cat >"$apt/apt.conf" <<-CONF
	Dir "$apt";
	Dir::State "$apt/state";
	Dir::State::status "$apt/state/status";
	Dir::Cache "$apt/cache";
	Dir::Etc "$apt/etc";
	Dir::Etc::sourcelist "$apt/etc/sources.list";
	Dir::Etc::sourceparts "-";
	Dir::Etc::parts "-";
	Dir::Etc::trusted "/etc/apt/trusted.gpg";
	Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
	APT::Architecture "amd64";
	APT::Architectures { "amd64"; };
	APT::Sandbox::User "root";
	Acquire::Languages "none";
	Acquire::Retries "3";
	CONF
}

prepare_apt() {
	local uri
	uri=$("$top/tools/archive.sh")
	rm -rf "$apt"
	mkdir -p "$apt/etc/preferences.d" "$apt/state/lists/partial" "$apt/cache/archives/partial"
	: >"$apt/state/status"
	# target=Packages leaves out indexes that other programs configure, such as lists of files and icons.
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg target=Packages] $uri $1 main" \
		>"$apt/etc/sources.list"
	apt_options
}

# The package linux-image-amd64 depends on the package of the current kernel release.
kernel_package() {
	apt-cache -c "$apt/apt.conf" depends linux-image-amd64 |
		awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { print $2; exit }'
}

# take_modules DIR FOLDER MODULE...: uncompresses these modules and their dependencies into FOLDER, under names that
# sort in the order of insertion.  Debian compresses modules from 6.6 on.
take_modules() {
	local new=$1 to=$1/$2 n=10 release file
	shift 2
	release=$(basename "$new"/tree/lib/modules/*)
	mkdir "$to"
	for module; do
		modprobe -d "$new/tree" -S "$release" --show-depends "$module" || exit
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
		cp "$file" "$to/$n-${file##*/}"
		n=$((n + 1))
	done
	find "$to" -name '*.xz' -exec xz -d {} +
}

unpack() {
	local deb=$1 new=$cache/$version.new
	rm -rf "$new"
	mkdir -p "$new/tree"
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$new/tree" --wildcards \
		--transform 's,^\./usr/lib/,./lib/,' --exclude '*/drivers/net/wireless/*' \
		'./boot/vmlinuz-*' '*/modules/*/kernel/net/*' '*/modules/*/kernel/drivers/net/*' \
		'*/modules/*/kernel/drivers/block/*' '*/modules/*/kernel/drivers/md/*' \
		'*/modules/*/kernel/fs/*' '*/modules/*/kernel/mm/*' \
		'*/modules/*/kernel/drivers/virtio/*' '*/modules/*/kernel/drivers/char/*' \
		'*/modules/*/kernel/lib/*' '*/modules/*/kernel/crypto/*' \
		'*/modules/*/kernel/arch/*' '*/modules/*/modules.*'
	mv "$new"/tree/boot/vmlinuz-* "$new/vmlinuz"
	depmod -b "$new/tree" "$(basename "$new"/tree/lib/modules/*)"
	# shellcheck disable=SC2086
	take_modules "$new" modules $modules
	# shellcheck disable=SC2086
	take_modules "$new" later $later
	rm -rf "$new/tree"
	printf '%s\n' "$modules, $later" >"$new/wanted"
	rm -rf "${cache:?}/$version"
	mv "$new" "$cache/$version"
}

main() {
	local package suite
	[ "$(cat "$cache/$version/wanted" 2>/dev/null)" = "$modules, $later" ] && return
	suite=$(suite_of "$version")
	prepare_apt "$suite"
	apt-get -c "$apt/apt.conf" -qq update
	package=$(kernel_package)
	echo "fetch.sh: $package of $suite" >&2
	(cd "$apt/cache" && apt-get -c "$apt/apt.conf" -qq download "$package")
	unpack "$(echo "$apt"/cache/linux-image-*.deb)"
	rm -rf "$apt"
}

main
