/* library: ../../dlib/errno.d ../../dlib/signal.d ../../dlib/unistd.d ../../dlib/procfs.d ../../dlib/net.d ../../dlib/ip.d ../../dlib/tcp.d ../../dlib/udp.d ../../dlib/udplite.d; */
BEGIN { trace(curpsinfo->pr_pid); trace(TCP_STATE_CLOSED); trace(EINVAL); trace(SIGHUP); }
