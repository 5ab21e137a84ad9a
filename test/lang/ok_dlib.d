/* library: ../../dlib/errno.d ../../dlib/signal.d ../../dlib/unistd.d ../../dlib/x86_64/regs.d ../../dlib/cpu.d ../../dlib/kernel.d ../../dlib/io.d ../../dlib/vop.d ../../dlib/vfs.d ../../dlib/fsinfo.d ../../dlib/procfs.d ../../dlib/sched.d ../../dlib/net.d ../../dlib/ip.d ../../dlib/tcp.d ../../dlib/udp.d ../../dlib/udplite.d; */
BEGIN { trace(curpsinfo->pr_pid); trace(TCP_STATE_CLOSED); trace(EINVAL); trace(SIGHUP); }
BEGIN { trace(PR_ISSYS); trace(SOBJ_NONE); trace(RW_READER); trace(PIDTYPE_SID); trace(PCAP_ETHER); trace(IPH_DF); trace(B_READ | O_CREAT); }
BEGIN { trace(*curpsinfo); trace(*curlwpsinfo); trace(*curcpu); trace(fds[0]); trace(cwd); trace(root); trace(chip + lgrp + pset); }
BEGIN { trace(xlate <bufinfo_t> ((struct bio *)arg0)); trace(xlate <devinfo_t> ((struct bio *)arg0)); }
