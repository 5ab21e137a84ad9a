/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.d: the priv provider: the kernel checks whether a thread has a privilege, which on Linux is
 * a capability.
 *
 * args[0] is its number (capabilities(7)).  The module that implements capabilities decides which
 * of the two probes fires; another security module can still refuse.  A check that tries one user
 * namespace after another fires once.
 */

provider priv {
	probe kernel:priv_check:priv__ok(int priv);
	probe kernel:priv_check:priv__err(int priv);
};

/* Without a tracepoint (before 6.14) the result is known when the function returns. */
self int priv_asked;

fbt::cap_capable:entry
{
	self->priv_asked = args[2];
}

site priv:kernel:priv_check:priv-ok from rawtp:::cap_capable
/args[4] == 0/
{
	return (args[3]);
}
else from fbt::cap_capable:return
/args[1] == 0/
{
	return (self->priv_asked);
}

site priv:kernel:priv_check:priv-err from rawtp:::cap_capable
/args[4] != 0/
{
	return (args[3]);
}
else from fbt::cap_capable:return
/args[1] != 0/
{
	return (self->priv_asked);
}

/* include/uapi/linux/capability.h */
inline int CAP_CHOWN = 0;
inline int CAP_DAC_OVERRIDE = 1;
inline int CAP_DAC_READ_SEARCH = 2;
inline int CAP_FOWNER = 3;
inline int CAP_FSETID = 4;
inline int CAP_KILL = 5;
inline int CAP_SETGID = 6;
inline int CAP_SETUID = 7;
inline int CAP_SETPCAP = 8;
inline int CAP_LINUX_IMMUTABLE = 9;
inline int CAP_NET_BIND_SERVICE = 10;
inline int CAP_NET_BROADCAST = 11;
inline int CAP_NET_ADMIN = 12;
inline int CAP_NET_RAW = 13;
inline int CAP_IPC_LOCK = 14;
inline int CAP_IPC_OWNER = 15;
inline int CAP_SYS_MODULE = 16;
inline int CAP_SYS_RAWIO = 17;
inline int CAP_SYS_CHROOT = 18;
inline int CAP_SYS_PTRACE = 19;
inline int CAP_SYS_PACCT = 20;
inline int CAP_SYS_ADMIN = 21;
inline int CAP_SYS_BOOT = 22;
inline int CAP_SYS_NICE = 23;
inline int CAP_SYS_RESOURCE = 24;
inline int CAP_SYS_TIME = 25;
inline int CAP_SYS_TTY_CONFIG = 26;
inline int CAP_MKNOD = 27;
inline int CAP_LEASE = 28;
inline int CAP_AUDIT_WRITE = 29;
inline int CAP_AUDIT_CONTROL = 30;
inline int CAP_SETFCAP = 31;
inline int CAP_MAC_OVERRIDE = 32;
inline int CAP_MAC_ADMIN = 33;
inline int CAP_SYSLOG = 34;
inline int CAP_WAKE_ALARM = 35;
inline int CAP_BLOCK_SUSPEND = 36;
inline int CAP_AUDIT_READ = 37;
inline int CAP_PERFMON = 38;
inline int CAP_BPF = 39;
inline int CAP_CHECKPOINT_RESTORE = 40;
