# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
#
# nfs.sh: an NFS server in the kernel, for tests in their own network namespace and mount namespace.

server=/proc/fs/nfsd
mnt=$work/mnt
export=$work/export

nfs_remove() {
	umount "$mnt" 2>/dev/null
	echo 0 >$server/threads
	umount $server "$export"
}

# nfs_register: starts a port mapper, because the server registers version 3 there.
nfs_register() {
	"$top/build/test-nfs3" register >"$work/rpcbind" 2>&1 &
	own_pids+=("$!")
	wait_for 20 bash -c 'exec 3<>/dev/tcp/127.0.0.1/111' || note_file rpcbind "$work/rpcbind"
}

# nfs_serve VERSION...: serves a file system of 1 MB, writable from the namespace's own address.  The server would ask
# a daemon which client has an address, and which paths the client may use.  The caches get these answers beforehand
# (Documentation/filesystems/nfs/rpc-cache.rst has the formats; the flags: insecure, fsid, no_subtree_check).
nfs_serve() {
	local forever=2000000000 version
	mount -t nfsd nfsd $server && mount -t tmpfs -o size=1M none "$export" || return
	trap 'nfs_remove; cleanup' EXIT
	echo "nfsd 127.0.0.1 $forever dtr" >/proc/net/rpc/auth.unix.ip/channel
	echo "dtr $export $forever $((0x2402)) 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
	echo "dtr 1 \\x00000000 $forever $export" >/proc/net/rpc/nfsd.fh/channel
	# After its start the server refuses new opens for this time.  The kernel accepts no less than 10 s.
	echo 10 >$server/nfsv4leasetime
	echo 10 >$server/nfsv4gracetime
	for version; do
		echo "$version" >$server/versions
		[ "$version" != +3 ] || nfs_register || return
	done
	echo tcp 2049 >$server/portlist
	echo 2 >$server/threads
}
