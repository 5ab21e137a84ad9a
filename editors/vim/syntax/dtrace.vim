" SPDX-License-Identifier: BSD-2-Clause
" Vim syntax file of D, the language of dtrace(1).  Made by `make docs`.
if exists("b:current_syntax")
	finish
endif
" A line that begins with a backslash continues the line before, even if Vim is compatible with vi.
let s:options = &cpo
set cpo&vim

syn keyword dtraceStatement auto break case const continue counter default do else enum extern
	\ for goto if import inline offsetof probe provider register restrict return self sizeof static
	\ stringof struct switch this translator typedef union volatile while xlate
syn keyword dtraceType char double float int long short signed string unsigned userland void
syn keyword dtraceVariable arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 caller
	\ cgroup_level cgroup_path cgroup_root cgroup_root_level cgroup_scope cpu curthread epid errno
	\ execname gid host_netns host_pidns id ipl jiffy_ns pid ppid probefunc probemod probename
	\ probeprov regs stackdepth threadname tid timestamp ucaller uid uregs ustackdepth vmid vmname
	\ vtimestamp walltimestamp args chip curcpu curlwpsinfo curpsinfo cwd execargs fds jailname jid
	\ lgrp pset root zonename
syn keyword dtraceFunction alloca argstr basename bcopy cleanpath copyin copyinstr copyinto
	\ copyout copyoutstr cpu_info d_path dentry_path dev_takes dirname enumname getmajor getminor
	\ goid htonl htonll htons index inet_ntoa inet_ntoa6 inet_ntop ip6_behind json link_ntop lltostr
	\ machine_state memref memstr mount_path ntohl ntohll ntohs path_below progenyof rand rindex
	\ sb_mount speculation strchr strjoin strlen strrchr strstr strtok strtoll substr tolower toupper
	\ getf mutex_owned mutex_owner mutex_type_adaptive mutex_type_spin rw_iswriter rw_read_held
	\ rw_write_held
syn keyword dtraceAction breakpoint cat chill clear commit denormalize discard exit freopen
	\ ftruncate func immstack jstack langstack mod normalize panic pcap print printa printf printm
	\ raise setopt snapshot span_begin span_end speculate stack stop sym system trace tracemem trunc
	\ uaddr ufunc umod ustack usym
syn keyword dtraceAggregating avg count llquantize lquantize max min quantize stats stddev sum
syn keyword dtraceConstant AF_INET AF_INET6 ARPHRD_ETHER ARPHRD_INFINIBAND AT_FDCWD BIO_DELETE
	\ BIO_FLUSH BIO_GETATTR BIO_READ BIO_WRITE BUS_ADRALN BUS_ADRERR BUS_OBJERR B_ASYNC B_BUSY B_DONE
	\ B_ERROR B_PAGEIO B_PHYS B_READ B_WRITE CAP_AUDIT_CONTROL CAP_AUDIT_READ CAP_AUDIT_WRITE
	\ CAP_BLOCK_SUSPEND CAP_BPF CAP_CHECKPOINT_RESTORE CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH
	\ CAP_FOWNER CAP_FSETID CAP_IPC_LOCK CAP_IPC_OWNER CAP_KILL CAP_LEASE CAP_LINUX_IMMUTABLE
	\ CAP_MAC_ADMIN CAP_MAC_OVERRIDE CAP_MKNOD CAP_NET_ADMIN CAP_NET_BIND_SERVICE CAP_NET_BROADCAST
	\ CAP_NET_RAW CAP_PERFMON CAP_SETFCAP CAP_SETGID CAP_SETPCAP CAP_SETUID CAP_SYSLOG CAP_SYS_ADMIN
	\ CAP_SYS_BOOT CAP_SYS_CHROOT CAP_SYS_MODULE CAP_SYS_NICE CAP_SYS_PACCT CAP_SYS_PTRACE
	\ CAP_SYS_RAWIO CAP_SYS_RESOURCE CAP_SYS_TIME CAP_SYS_TTY_CONFIG CAP_WAKE_ALARM CLD_CONTINUED
	\ CLD_DUMPED CLD_EXITED CLD_KILLED CLD_STOPPED CLD_TRAPPED DTRACEFLT_BADADDR DTRACEFLT_BADALIGN
	\ DTRACEFLT_BADINDEX DTRACEFLT_BADSIZE DTRACEFLT_BADSTACK DTRACEFLT_DIVZERO DTRACEFLT_ILLOP
	\ DTRACEFLT_KPRIV DTRACEFLT_LIBRARY DTRACEFLT_NOSCRATCH DTRACEFLT_TUPOFLOW DTRACEFLT_UNKNOWN
	\ DTRACEFLT_UPRIV E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE
	\ EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM
	\ ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST
	\ EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR
	\ EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD
	\ ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG
	\ ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT
	\ ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR
	\ ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP
	\ ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO
	\ EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN
	\ ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY
	\ EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL FLTACCESS FLTBOUNDS FLTBPT FLTFPE FLTILL
	\ FLTIOVF FLTIZDIV FLTPAGE FLTPRIV FLTSTACK FLTTRACE FPE_FLTDIV FPE_FLTINV FPE_FLTOVF FPE_FLTRES
	\ FPE_FLTSUB FPE_FLTUND FPE_INTDIV FPE_INTOVF ILL_BADSTK ILL_COPROC ILL_ILLADR ILL_ILLOPC
	\ ILL_ILLOPN ILL_ILLTRP ILL_PRVOPC ILL_PRVREG IPH_DF IPH_MF IPPROTO_AH IPPROTO_BEETPH
	\ IPPROTO_COMP IPPROTO_DCCP IPPROTO_DSTOPTS IPPROTO_EGP IPPROTO_ENCAP IPPROTO_EON IPPROTO_ESP
	\ IPPROTO_FRAGMENT IPPROTO_GGP IPPROTO_GRE IPPROTO_HELLO IPPROTO_HOPOPTS IPPROTO_ICMP
	\ IPPROTO_ICMPV6 IPPROTO_IDP IPPROTO_IGMP IPPROTO_IP IPPROTO_IPIP IPPROTO_IPV6 IPPROTO_MAX
	\ IPPROTO_MH IPPROTO_MTP IPPROTO_ND IPPROTO_NONE IPPROTO_OSPF IPPROTO_PIM IPPROTO_PUP IPPROTO_RAW
	\ IPPROTO_ROUTING IPPROTO_RSVP IPPROTO_SCTP IPPROTO_TCP IPPROTO_TP IPPROTO_UDP IPPROTO_UDPLITE
	\ LCB_F_MUTEX LCB_F_PERCPU LCB_F_READ LCB_F_RT LCB_F_SPIN LCB_F_WRITE MT_DATA M_BCAST M_EOR M_EXT
	\ M_MCAST M_NOFREE M_NOWAIT M_PKTHDR M_PROMISC M_PROTO1 M_PROTO10 M_PROTO11 M_PROTO12 M_PROTO2
	\ M_PROTO3 M_PROTO4 M_PROTO5 M_PROTO6 M_PROTO7 M_PROTO8 M_PROTO9 M_RDONLY M_UNUSED_8 M_VLANTAG
	\ M_WAITOK NET_PROBE_INBOUND NET_PROBE_OUTBOUND NFS_PROGRAM O_ACCMODE O_APPEND O_ASYNC O_CLOEXEC
	\ O_CREAT O_DIRECTORY O_DSYNC O_EXCL O_FSYNC O_LARGEFILE O_NDELAY O_NOCTTY O_NOFOLLOW O_NONBLOCK
	\ O_RDONLY O_RDWR O_RSYNC O_SYNC O_TRUNC O_WRONLY PBIND_NONE PCAP_ETHER PCAP_IP PCAP_IPOIB
	\ PCAP_NULL PCAP_PPP PCAP_WIFI PIDTYPE_PGID PIDTYPE_PID PIDTYPE_SID PIDTYPE_TGID POLL_ERR
	\ POLL_HUP POLL_IN POLL_MSG POLL_OUT POLL_PRI PROC_DYNAMIC_FIRST PRU_RCVD PRU_SEND PR_AGENT
	\ PR_ASLEEP PR_ASLWP PR_ASYNC PR_BPTADJ PR_DAEMON PR_DETACH PR_DSTOP PR_FORK PR_IDLE PR_ISSYS
	\ PR_ISTOP PR_KLC PR_MODEL_ILP32 PR_MODEL_LP64 PR_MSACCT PR_MSFORK PR_NOSIGCHLD PR_ORPHAN
	\ PR_PCINVAL PR_PTRACE PR_RLC PR_STEP PR_STOPPED PR_VFORKP PR_WAITPID PS_NONE RW_READER RW_WRITER
	\ R_CS R_DS R_EAX R_EBP R_EBX R_ECX R_EDI R_EDX R_EFL R_EIP R_ERR R_ES R_ESI R_ESP R_FP R_FS R_GS
	\ R_LR R_NPC R_ORIG_X0 R_PC R_PS R_PSTATE R_R0 R_R1 R_R10 R_R11 R_R12 R_R13 R_R14 R_R15 R_R8 R_R9
	\ R_RAX R_RBP R_RBX R_RCX R_RDI R_RDX R_RFL R_RIP R_RSI R_RSP R_SP R_SS R_SYSCALL R_TRAPNO R_UESP
	\ R_X0 R_X1 R_X10 R_X11 R_X12 R_X13 R_X14 R_X15 R_X16 R_X17 R_X18 R_X19 R_X2 R_X20 R_X21 R_X22
	\ R_X23 R_X24 R_X25 R_X26 R_X27 R_X28 R_X29 R_X3 R_X30 R_X4 R_X5 R_X6 R_X7 R_X8 R_X9
	\ SCTP_STATE_CLOSED_SOCKET SCTP_STATE_COOKIE_ECHOED SCTP_STATE_COOKIE_WAIT SCTP_STATE_EMPTY
	\ SCTP_STATE_ESTABLISHED SCTP_STATE_INUSE SCTP_STATE_MASK SCTP_STATE_OPEN
	\ SCTP_STATE_SHUTDOWN_ACK_SENT SCTP_STATE_SHUTDOWN_PENDING SCTP_STATE_SHUTDOWN_RECEIVED
	\ SCTP_STATE_SHUTDOWN_SENT SEGV_ACCERR SEGV_MAPERR SIDL SIFTR_IN SIFTR_OUT SIGABRT SIGALRM SIGBUS
	\ SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF
	\ SIGPWR SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG
	\ SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SI_ASYNCIO SI_LWP SI_MESGQ SI_QUEUE SI_RCTL
	\ SI_TIMER SI_USER SOBJ_CV SOBJ_MUTEX SOBJ_NONE SOBJ_RWLOCK SOBJ_SEMA SOBJ_SHUTTLE SOBJ_USER
	\ SOBJ_USER_PI SONPROC SRUN SSLEEP SSTOP SWAIT SZOMB TA_DROP TA_INPUT TA_OUTPUT TA_RESPOND
	\ TA_USER TCPS_CLOSED TCPS_CLOSE_WAIT TCPS_CLOSING TCPS_ESTABLISHED TCPS_FIN_WAIT_1
	\ TCPS_FIN_WAIT_2 TCPS_LAST_ACK TCPS_LISTEN TCPS_SYN_RECEIVED TCPS_SYN_SENT TCPS_TIME_WAIT
	\ TCP_STATE_BOUND TCP_STATE_CLOSED TCP_STATE_CLOSE_WAIT TCP_STATE_CLOSING TCP_STATE_ESTABLISHED
	\ TCP_STATE_FIN_WAIT_1 TCP_STATE_FIN_WAIT_2 TCP_STATE_IDLE TCP_STATE_LAST_ACK TCP_STATE_LISTEN
	\ TCP_STATE_SYN_RECEIVED TCP_STATE_SYN_SENT TCP_STATE_TIME_WAIT TH_ACK TH_CWR TH_ECE TH_FIN
	\ TH_PSH TH_PUSH TH_RST TH_SYN TH_URG TIF_NEED_RESCHED TRAP_BRKPT TRAP_TRACE UDPH_SIZE
syn keyword dtraceOption contained agghist aggpack aggpercpu aggrate aggsize aggsortkey
	\ aggsortkeypos aggsortpos aggsortrev aggzoom amin argref bpflog bpflogsize bufpolicy bufresize
	\ bufsize cgroup chrome cleanrate core cpp cppargs cpphdrs cpppath cpu ctf ctfpath ctypes debug
	\ debugassert debugdir defaultargs define destructive dialect disasm dofstashpath droptags dtypes
	\ dump dynvarsize empty encoding errtags evaltime execute firefox flame flowindent folded follow
	\ grabanon heat heatrate html incdir inlines iregs jstackframes jstackstrsize kdefs knodefs late
	\ lazyload ldpath libdir lines linkmode linknommap linktype lockmem maxframes mergestacks metrics
	\ metricshost metricsmax modpath nolibs noresolve nspec oformat opt otlp otlprate pcapsize
	\ perfetto pgmax pprof preallocate printsize procfspath pspec quiet quietresize rawbytes save
	\ scratchsize setenv specsize speedscope stackframes stackindent statusrate stdc strip strsize
	\ switchrate syslibdir sysslice target targetmatch temporal timeline timelinerate top tree tregs
	\ udefs undef unodefs unsetenv unwindsize uretprobe useruid ustackframes verbose version visible
	\ zdefs zone
syn match dtraceType "\<\h\w*_t\>"
syn match dtraceMacro "\$\$\=\(\d\+\|\a\+\)"
syn match dtraceAggregation "@\w*"
syn match dtraceKernel "`\h\w*"
syn match dtraceNumber "\<\(0[xX]\x\+\|\d\+\)[uUlL]*\>"
syn match dtraceEscape contained "\\\(x\x\+\|\o\{1,3}\|.\)"
syn match dtraceFormat contained "%[-#+ 0'?@]*\(\*\|\d*\)\(\.\(\*\|\d*\)\)\=\(hh\|ll\|[hlLw]\)\=[aAcCdeEfgGiIkopPsSTuxXY%]"
syn region dtraceString start=+"+ skip=+\\"+ end=+"+ oneline contains=dtraceEscape,dtraceFormat
syn region dtraceCharacter start=+'+ skip=+\\'+ end=+'+ oneline contains=dtraceEscape
syn region dtraceComment start="/\*" end="\*/" contains=@Spell
syn match dtraceComment "//.*" contains=@Spell
syn match dtraceComment "\%^#!.*"
syn region dtracePragma start="^\s*#\s*\(pragma\|line\|error\|ident\|include\|define\|undef\|if\|ifdef\|ifndef\|else\|endif\)\>" end="$" contains=dtraceOption,dtraceString
" A description, and descriptions after a comma; a predicate on a line of its own.
syn match dtraceProbe "^[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceProbe ",\s*\zs[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceProbe "\(\<\(site\|from\)\s\+\)\@<=[-$a-zA-Z_.?*\[\]!][-$a-zA-Z0-9_.?*\[\]!`+]*:[^ \t,/{;]*"
syn match dtraceStatement "\<\(site\|from\)\ze\s\+[-$a-zA-Z0-9_.?*\[\]!`+]*:"
syn match dtraceStatement "\<and\ze\s\+from\>"
syn match dtraceProbe "^\(BEGIN\|END\|ERROR\|tick-\w\+\|profile-\w\+\)\>"
syn match dtracePredicate "^/\ze[^/*]"
syn match dtracePredicate "\S\zs/$"

hi def link dtraceStatement Statement
hi def link dtraceType Type
hi def link dtraceVariable Identifier
hi def link dtraceFunction Function
hi def link dtraceAction Function
hi def link dtraceAggregating Function
hi def link dtraceConstant Constant
hi def link dtraceOption Special
hi def link dtraceMacro Macro
hi def link dtraceAggregation Identifier
hi def link dtraceKernel Identifier
hi def link dtraceNumber Number
hi def link dtraceEscape SpecialChar
hi def link dtraceFormat SpecialChar
hi def link dtraceString String
hi def link dtraceCharacter Character
hi def link dtraceComment Comment
hi def link dtracePragma PreProc
hi def link dtraceProbe Label
hi def link dtracePredicate Delimiter

let b:current_syntax = "dtrace"
let &cpo = s:options
unlet s:options
