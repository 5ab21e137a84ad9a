# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034
#
# calls.sh: D that names the arguments and errors of system calls; a tool sources this file after tool.sh.

# either FUNCTION...: prints a condition that is true for these system calls.
either() {
	list=0
	for function; do
		list="$list || probefunc == \"$function\""
	done
	echo "($list)"
}

# table NAME WORD...: prints D that makes an array: the name of each number.
table() {
	printf '%s' "string $1[int]; dtrace:::BEGIN { "
	array=$1
	shift
	for word; do
		printf '%s' "${array}[$word] = \"$word\"; "
	done
	echo '}'
}

# Calls with a path as the first or second argument.
path0=$(either access acct chdir chmod chown chroot creat execve lchown lgetxattr getxattr link listxattr lremovexattr \
	lsetxattr lstat mkdir mknod open pivot_root readlink removexattr rename rmdir setxattr stat statfs swapoff swapon \
	symlink symlinkat truncate umount2 unlink utime utimes)
path1=$(either execveat faccessat faccessat2 fchmodat fchmodat2 fchownat futimesat inotify_add_watch linkat mkdirat mknodat \
	name_to_handle_at newfstatat open_tree openat openat2 readlinkat renameat renameat2 statx unlinkat utimensat)

# Calls whose first argument is a directory, or AT_FDCWD.
directory0="($path1 && probefunc != \"inotify_add_watch\")"

# Calls whose first argument is the descriptor of a file.
file0=$(either accept accept4 bind close connect copy_file_range dup dup2 dup3 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait \
	fadvise64 fallocate fchdir fchmod fchown fcntl fdatasync fgetxattr finit_module flistxattr flock fremovexattr fsetxattr \
	fstat fstatfs fsync ftruncate getdents getdents64 getpeername getsockname getsockopt inotify_add_watch inotify_rm_watch \
	ioctl listen lseek pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readv recvfrom recvmmsg recvmsg \
	sendfile sendmmsg sendmsg sendto setns setsockopt shutdown sync_file_range syncfs timerfd_gettime timerfd_settime vmsplice \
	write writev)

# Calls whose second argument is the address of a socket, and calls in which the kernel sets this address.
address1=$(either accept accept4 bind connect getpeername getsockname)
result1=$(either accept accept4 getpeername getsockname)

# address_at[ADDRESS, LENGTH]: text of a struct sockaddr of the process: "127.0.0.1:80", "[::1]:80", a path.  A name of a
# Unix socket that begins with a 0 is not a path, and gets an @.
addresses='
inline string port_at[uintptr_t at] = lltostr(ntohs(*(uint16_t *)copyin(at + 2, 2)));
inline string unix_at[uintptr_t at, int length] = length <= 2 ? "-" : *(char *)copyin(at + 2, 1) != 0 ?
    copyinstr(at + 2, length - 2) : strjoin("@", copyinstr(at + 3, length - 3));
inline string address_of[int family, uintptr_t at, int length] =
    family == AF_INET ? strjoin(inet_ntop(AF_INET, copyin(at + 4, 4)), strjoin(":", port_at[at])) :
    family == AF_INET6 ? strjoin("[", strjoin(inet_ntop(AF_INET6, copyin(at + 8, 16)), strjoin("]:", port_at[at]))) :
    family == 1 ? unix_at[at, length] : family == 16 ? "netlink" : strjoin("family ", lltostr(family));
inline string address_at[uintptr_t at, int length] = address_of[*(uint16_t *)copyin(at, 2), at, length];
'

# error_name[ERROR]; the library has no EHWPOISON.
errors="$(table error_name EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY \
	EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE \
	EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI \
	EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV \
	ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX \
	ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT \
	ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET \
	ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH \
	EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY \
	EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL)"'dtrace:::BEGIN { error_name[133] = "EHWPOISON"; }
'
