/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signal.d: signals and the codes that come with them (include/uapi/asm-generic/siginfo.h).
 */
inline int SIGHUP = 1;
inline int SIGINT = 2;
inline int SIGQUIT = 3;
inline int SIGILL = 4;
inline int SIGTRAP = 5;
inline int SIGABRT = 6;
inline int SIGIOT = 6;
inline int SIGBUS = 7;
inline int SIGFPE = 8;
inline int SIGKILL = 9;
inline int SIGUSR1 = 10;
inline int SIGSEGV = 11;
inline int SIGUSR2 = 12;
inline int SIGPIPE = 13;
inline int SIGALRM = 14;
inline int SIGTERM = 15;
inline int SIGSTKFLT = 16;
inline int SIGCHLD = 17;
inline int SIGCLD = 17;
inline int SIGCONT = 18;
inline int SIGSTOP = 19;
inline int SIGTSTP = 20;
inline int SIGTTIN = 21;
inline int SIGTTOU = 22;
inline int SIGURG = 23;
inline int SIGXCPU = 24;
inline int SIGXFSZ = 25;
inline int SIGVTALRM = 26;
inline int SIGPROF = 27;
inline int SIGWINCH = 28;
inline int SIGIO = 29;
inline int SIGPOLL = 29;
inline int SIGPWR = 30;
inline int SIGSYS = 31;
inline int SI_USER = 0;
inline int SI_QUEUE = -1;
inline int SI_TIMER = -2;
inline int SI_MESGQ = -3;
inline int SI_ASYNCIO = -4;
inline int SI_LWP = -6;
inline int SI_RCTL = -7;
inline int ILL_ILLOPC = 1;
inline int ILL_ILLOPN = 2;
inline int ILL_ILLADR = 3;
inline int ILL_ILLTRP = 4;
inline int ILL_PRVOPC = 5;
inline int ILL_PRVREG = 6;
inline int ILL_COPROC = 7;
inline int ILL_BADSTK = 8;
inline int FPE_INTDIV = 1;
inline int FPE_INTOVF = 2;
inline int FPE_FLTDIV = 3;
inline int FPE_FLTOVF = 4;
inline int FPE_FLTUND = 5;
inline int FPE_FLTRES = 6;
inline int FPE_FLTINV = 7;
inline int FPE_FLTSUB = 8;
inline int SEGV_MAPERR = 1;
inline int SEGV_ACCERR = 2;
inline int BUS_ADRALN = 1;
inline int BUS_ADRERR = 2;
inline int BUS_OBJERR = 3;
inline int TRAP_BRKPT = 1;
inline int TRAP_TRACE = 2;
inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;
inline int POLL_IN = 1;
inline int POLL_OUT = 2;
inline int POLL_MSG = 3;
inline int POLL_ERR = 4;
inline int POLL_PRI = 5;
inline int POLL_HUP = 6;

/* The information of a signal; the signal and the code decide which members are valid
 * (sigaction(2)). */
typedef struct siginfo {
	int si_signo;
	int si_errno;
	int si_code;
	pid_t si_pid;
	uid_t si_uid;
	int si_status;
	void *si_addr;
	long si_band;
	int si_fd;
	union sigval si_value;
} siginfo_t;

translator siginfo_t < struct kernel_siginfo *I > {
	si_signo = I->si_signo;
	si_errno = I->si_errno;
	si_code = I->si_code;
	si_pid = I->_sifields._kill._pid;
	si_uid = I->_sifields._kill._uid;
	si_status = I->_sifields._sigchld._status;
	si_addr = I->_sifields._sigfault._addr;
	si_band = I->_sifields._sigpoll._band;
	si_fd = I->_sifields._sigpoll._fd;
	si_value = I->_sifields._rt._sigval;
};
