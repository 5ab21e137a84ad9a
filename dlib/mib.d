/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mib.d: the mib provider: the counters of SNMP, at the packets and connections that they count.
 *
 * args[0] is the increment of the counter.  TcpActiveOpens is the counter that nstat shows by this
 * name, tcpActiveOpens its classic name.  For names with a 6, Linux has one counter for each
 * version of IP.  udpInDatagrams and the like count both, ipInReceives counts version 4,
 * ipv6InReceives version 6.  args[1] is the network namespace of the counter, with the number in
 * if_ipstack.
 */
#pragma D depends_on library net.d
#pragma D depends_on library ip.d
#pragma D depends_on library tcp.d
#pragma D depends_on library udp.d

provider mib {
	probe tcpActiveOpens(int n, netstackid_t stack);
	probe TcpActiveOpens(int n, netstackid_t stack);
	probe tcpPassiveOpens(int n, netstackid_t stack);
	probe TcpPassiveOpens(int n, netstackid_t stack);
	probe tcpAttemptFails(int n, netstackid_t stack);
	probe TcpAttemptFails(int n, netstackid_t stack);
	probe tcpEstabResets(int n, netstackid_t stack);
	probe TcpEstabResets(int n, netstackid_t stack);
	probe tcpInSegs(int n, netstackid_t stack);
	probe TcpInSegs(int n, netstackid_t stack);
	probe tcpOutSegs(int n, netstackid_t stack);
	probe TcpOutSegs(int n, netstackid_t stack);
	probe tcpRetransSegs(int n, netstackid_t stack);
	probe TcpRetransSegs(int n, netstackid_t stack);
	probe tcpOutRsts(int n, netstackid_t stack);
	probe TcpOutRsts(int n, netstackid_t stack);
	probe udpInDatagrams(int n, netstackid_t stack);
	probe UdpInDatagrams(int n, netstackid_t stack);
	probe Udp6InDatagrams(int n, netstackid_t stack);
	probe udpOutDatagrams(int n, netstackid_t stack);
	probe UdpOutDatagrams(int n, netstackid_t stack);
	probe Udp6OutDatagrams(int n, netstackid_t stack);
	probe udpNoPorts(int n, netstackid_t stack);
	probe UdpNoPorts(int n, netstackid_t stack);
	probe Udp6NoPorts(int n, netstackid_t stack);
	probe ipInReceives(int n, netstackid_t stack);
	probe IpInReceives(int n, netstackid_t stack);
	probe ipv6InReceives(int n, netstackid_t stack);
	probe Ip6InReceives(int n, netstackid_t stack);
	probe ipOutRequests(int n, netstackid_t stack);
	probe IpOutRequests(int n, netstackid_t stack);
	probe ipv6OutRequests(int n, netstackid_t stack);
	probe Ip6OutRequests(int n, netstackid_t stack);
	probe ipForwDatagrams(int n, netstackid_t stack);
	probe IpForwDatagrams(int n, netstackid_t stack);
	probe ipv6ForwDatagrams(int n, netstackid_t stack);
	probe Ip6OutForwDatagrams(int n, netstackid_t stack);
	probe ip:icmp_rcv:icmpInMsgs(int n, netstackid_t stack);
	probe IcmpInMsgs(int n, netstackid_t stack);
	probe ip:icmp_out_count:icmpOutMsgs(int n, netstackid_t stack);
	probe IcmpOutMsgs(int n, netstackid_t stack);
	probe ip:icmp_rcv:icmpInEchos(int n, netstackid_t stack);
	probe IcmpInEchos(int n, netstackid_t stack);
	probe ip:icmp_out_count:icmpOutEchos(int n, netstackid_t stack);
	probe IcmpOutEchos(int n, netstackid_t stack);
	probe ip:icmp_rcv:icmpInEchoReps(int n, netstackid_t stack);
	probe IcmpInEchoReps(int n, netstackid_t stack);
	probe ip:icmp_out_count:icmpOutEchoReps(int n, netstackid_t stack);
	probe IcmpOutEchoReps(int n, netstackid_t stack);
	probe ip:icmp_rcv:icmpInDestUnreachs(int n, netstackid_t stack);
	probe IcmpInDestUnreachs(int n, netstackid_t stack);
	probe ip:icmp_out_count:icmpOutDestUnreachs(int n, netstackid_t stack);
	probe IcmpOutDestUnreachs(int n, netstackid_t stack);
	probe icmp6InMsgs(int n, netstackid_t stack);
	probe Icmp6InMsgs(int n, netstackid_t stack);
	probe icmp6OutMsgs(int n, netstackid_t stack);
	probe Icmp6OutMsgs(int n, netstackid_t stack);
	probe udpInErrors(int n, netstackid_t stack);
	probe UdpInErrors(int n, netstackid_t stack);
	probe Udp6InErrors(int n, netstackid_t stack);
	probe udpInCksumErrs(int n, netstackid_t stack);
	probe UdpInCsumErrors(int n, netstackid_t stack);
	probe Udp6InCsumErrors(int n, netstackid_t stack);
	probe udpInOverflows(int n, netstackid_t stack);
	probe UdpRcvbufErrors(int n, netstackid_t stack);
	probe Udp6RcvbufErrors(int n, netstackid_t stack);
	probe udpOutErrors(int n, netstackid_t stack);
	probe tcpListenDrop(int n, netstackid_t stack);
	probe TcpExtListenOverflows(int n, netstackid_t stack);
	probe tcpListenDropQ0(int n, netstackid_t stack);
	probe tcpOutDataBytes(int n, netstackid_t stack);
	probe tcpRetransBytes(int n, netstackid_t stack);
	probe tcpInDataInorderBytes(int n, netstackid_t stack);
	probe tcpInDataDupBytes(int n, netstackid_t stack);
	probe tcpInDataUnorderBytes(int n, netstackid_t stack);
	probe ipIfStatsHCInOctets(int n, netstackid_t stack);
	probe IpExtInOctets(int n, netstackid_t stack);
	probe Ip6InOctets(int n, netstackid_t stack);
	probe ipIfStatsHCOutOctets(int n, netstackid_t stack);
	probe IpExtOutOctets(int n, netstackid_t stack);
	probe Ip6OutOctets(int n, netstackid_t stack);
	probe ipIfStatsInHdrErrors(int n, netstackid_t stack);
	probe ipIfStatsInDiscards(int n, netstackid_t stack);
	probe ipIfStatsOutDiscards(int n, netstackid_t stack);
	probe rawipOutDatagrams(int n, netstackid_t stack);
};

inline netstackid_t mib_stack[struct sock *sk] = sk->__sk_common.skc_net.net->ns.inum;
inline netstackid_t mib_dev_stack[struct net_device *D] = D == NULL ? 0 : D->nd_net.net->ns.inum;

/* ---- connections (tcp_set_state(), inet_csk_clone_lock(), tcp_done()) ---- */

inline int mib_is_state[struct sock *sk] = sk->sk_protocol == IPPROTO_TCP && net_in_scope[sk];

site mib:::[tT]cpActiveOpens from rawtp:::inet_sock_set_state
/mib_is_state[args[0]] && args[2] == TCP_STATE_SYN_SENT/
{
	return (1, mib_stack[args[0]]);
}

site mib:::[tT]cpPassiveOpens from rawtp:::inet_sock_set_state
/mib_is_state[args[0]] && args[1] == TCP_STATE_LISTEN &&
    args[2] == TCP_STATE_SYN_RECEIVED/
{
	return (1, mib_stack[args[0]]);
}

/*
 * tcp_done() counts a connection that fails: an error is set then, or the socket of an accepted handshake is
 * dead already (SOCK_DEAD, bit 0 of its flags).  A program that closes a connecting socket counts nothing
 * (tcp_close_state()), nor does the second socket for one handshake (inet_ehash_nolisten()).
 */
site mib:::[tT]cpAttemptFails from rawtp:::inet_sock_set_state
/mib_is_state[args[0]] && args[2] == TCP_STATE_CLOSED &&
    (args[1] == TCP_STATE_SYN_SENT || args[1] == TCP_STATE_SYN_RECEIVED) && (args[0]->sk_err != 0 ||
    (args[1] == TCP_STATE_SYN_RECEIVED && (args[0]->__sk_common.skc_flags & 1) != 0))/
{
	return (1, mib_stack[args[0]]);
}

/*
 * tcp_check_req() counts a reset or another SYN for a connection request.  It sees the listener first; a
 * listener without requests ignores a reset.
 */
inline int mib_is_listener[struct sock *sk] = net_is_of[sk, 1, IPPROTO_TCP] &&
    sk->__sk_common.skc_state == TCP_STATE_LISTEN && net_in_scope[sk];

site mib:::[tT]cpAttemptFails from cgroup:skb::ingress
/mib_is_listener[args[1]] && (tcp_hdr_of[net_hdr[args[0]]]->flags & TH_RST) != 0 &&
    tcp_icsk[args[1]]->icsk_accept_queue.qlen.counter > 0/
{
	return (1, mib_stack[args[1]]);
}

site mib:::[tT]cpAttemptFails from rawtp:::tcp_send_reset
/args[0] != NULL && args[1] != NULL && mib_is_listener[args[0]] && tcp_is_syn[net_hdr[args[1]]]/
{
	return (1, mib_stack[args[0]]);
}

site mib:::[tT]cpEstabResets from rawtp:::inet_sock_set_state
/mib_is_state[args[0]] && args[2] == TCP_STATE_CLOSED &&
    (args[1] == TCP_STATE_ESTABLISHED || args[1] == TCP_STATE_CLOSE_WAIT)/
{
	return (1, mib_stack[args[0]]);
}

/* ---- segments ---- */

/* A packet can become several segments, in a device or, as late as possible, in the kernel. */
inline int mib_gso_segs[struct sk_buff *skb] =
    ((struct skb_shared_info *)((uintptr_t)skb->head + skb->end))->gso_segs;
inline int mib_segs[struct sk_buff *skb] = mib_gso_segs[skb] == 0 ? 1 : mib_gso_segs[skb];

/* Sequence space of a segment with these headers; SYN and FIN take one each. */
inline int mib_seq_len[struct sk_buff *skb, struct net_tcp *th] =
    (int)((uintptr_t)skb->data + skb->len - (uintptr_t)th) - ((th->off >> 4) << 2) +
    ((th->flags & TH_SYN) != 0) + ((th->flags & TH_FIN) != 0);

/*
 * Packets of the program's own making: of a packet socket (AF_PACKET 17), which pass IP by, and of a raw
 * socket that writes IP headers itself.  SOCK_RAW 3; the kernel has raw sockets of its own.
 */
inline int mib_is_frame[struct sock *sk] = net_is_whole[sk] && sk->__sk_common.skc_family == 17;

inline int mib_is_raw[struct sock *sk] = net_is_whole[sk] && sk->sk_type == 3 && !sk->sk_kern_sock &&
    (sk->__sk_common.skc_family == AF_INET || sk->__sk_common.skc_family == AF_INET6);

inline int mib_is_made[struct sock *sk] = mib_is_frame[sk] || mib_is_raw[sk];

inline int mib_writes_headers[struct sock *sk] = mib_is_raw[sk] &&
    (((struct inet_sock *)sk)->inet_flags >> INET_FLAGS_HDRINCL & 1) != 0
else mib_is_raw[sk] && ((struct inet_sock *)sk)->hdrincl;

/*
 * A packet that IP has counted as sent is lost before the device sees it if no neighbour answers, or if a
 * firewall drops it on its way out.  Version 6 names no reason for the former.  A firewall can refuse a
 * packet before it has a device.
 */
inline int mib_is_unsent[struct sk_buff *skb, uintptr_t where, int reason] =
    reason == SKB_DROP_REASON_NEIGH_FAILED || reason == SKB_DROP_REASON_NEIGH_QUEUEFULL ||
    reason == SKB_DROP_REASON_NEIGH_DEAD || where - (uintptr_t)&`neigh_invalidate < 1024 ||
    (reason == SKB_DROP_REASON_NETFILTER_DROP && skb->skb_iif == 0);

inline netstackid_t mib_out_stack[struct sk_buff *skb] =
    skb->dev == NULL && net_is_whole[skb->sk] ? mib_stack[skb->sk] : mib_dev_stack[skb->dev];

inline int mib_tcp_out[struct sk_buff *skb] = tcp_is_sent[skb] && !mib_is_made[skb->sk];

/* A retransmission does not count as sent: it ends at or before the next new byte. */
inline int mib_is_again[struct sk_buff *skb, struct net_tcp *th] = tcp_is_full[skb->sk] &&
    mib_seq_len[skb, th] != 0 && (int)(uint32_t)(ntohl(th->seq) + mib_seq_len[skb, th] -
    tcp_sk[skb->sk]->snd_nxt) <= 0;

/*
 * When a SYN is lost because no neighbour answers, its socket has sent it.  The first of several SYNs of a
 * socket counts; the others are retransmissions.
 */
uint32_t mib_syn[uintptr_t];

inline int mib_is_first_syn[struct sk_buff *skb] = tcp_is_full[skb->sk] &&
    tcp_is_syn[net_hdr[skb]] && mib_syn[(uintptr_t)skb->sk] != tcp_hdr_of[net_hdr[skb]]->seq;

site mib:::[tT]cpOutSegs from rawtp:::net_dev_queue
/mib_tcp_out[args[0]] && !mib_is_again[args[0], tcp_hdr_of[net_hdr[args[0]]]]/
{
	return (mib_segs[args[0]], mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_tcp_out[args[0]] &&
    (mib_is_first_syn[args[0]] || !mib_is_again[args[0], tcp_hdr_of[net_hdr[args[0]]]])/
{
	mib_syn[(uintptr_t)args[0]->sk] = tcp_hdr_of[net_hdr[args[0]]]->seq;
	return (mib_segs[args[0]], mib_out_stack[args[0]]);
}

site mib:::[tT]cpOutRsts from rawtp:::net_dev_queue
/mib_tcp_out[args[0]] && (tcp_hdr_of[net_hdr[args[0]]]->flags & TH_RST) != 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_tcp_out[args[0]] &&
    (tcp_hdr_of[net_hdr[args[0]]]->flags & TH_RST) != 0/
{
	return (1, mib_out_stack[args[0]]);
}

/* Newer kernels also report failed attempts, with the reason; a failed attempt is repeated. */
site mib:::[tT]cpRetransSegs from rawtp:::tcp_retransmit_skb
/args[2] == 0 && net_in_scope[args[0]]/
{
	return (((struct tcp_skb_cb *)args[1]->cb)->tcp_gso_segs, mib_stack[args[0]]);
}
else from rawtp:::tcp_retransmit_skb
/net_in_scope[args[0]]/
{
	return (((struct tcp_skb_cb *)args[1]->cb)->tcp_gso_segs, mib_stack[args[0]]);
}

site mib:::[tT]cpRetransSegs from rawtp:::tcp_retransmit_synack
/net_in_scope[args[0]]/
{
	return (1, mib_stack[args[0]]);
}

/*
 * tcp_v4_rcv() and tcp_v6_rcv() count every segment for this machine (PACKET_HOST 0), also wrong ones.  If
 * functions cannot be traced, a segment is counted when a socket gets it, or when these functions free it
 * without a socket, for a connection in TIME_WAIT, or because of the signature of the segment.
 */
inline int mib_frees[uintptr_t where, uintptr_t function] = where - function < 8192;

inline int mib_is_unsigned[int reason] =
    (reason >= SKB_DROP_REASON_TCP_AUTH_HDR && reason <= SKB_DROP_REASON_TCP_AOFAILURE) ||
    reason == SKB_DROP_REASON_XFRM_POLICY || reason == SKB_DROP_REASON_TCP_MINTTL
else reason == SKB_DROP_REASON_XFRM_POLICY;

inline int mib_tcp_freed[struct sk_buff *skb, uintptr_t where, int reason, struct sock *sk] =
    cgroup_scope == 0 &&
    (mib_frees[where, (uintptr_t)&`tcp_v4_rcv] || mib_frees[where, (uintptr_t)&`tcp_v6_rcv]) &&
    skb->pkt_type == 0 && (sk == NULL || sk->__sk_common.skc_state == TCP_STATE_TIME_WAIT ||
    mib_is_unsigned[reason]);

site mib:::[tT]cpInSegs from fbt::tcp_v4_rcv:entry
/cgroup_scope == 0 && args[0]->pkt_type == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from fbt::tcp_v6_rcv:entry
/cgroup_scope == 0 && args[0]->pkt_type == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from cgroup:skb::ingress
/cgroup_scope == 0 && tcp_is_received[args[0], args[1]]/
{
	return (1, mib_stack[args[1]]);
}
and from rawtp:::kfree_skb
/mib_tcp_freed[args[0], (uintptr_t)args[1], args[2], args[3]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from cgroup:skb::ingress
/cgroup_scope == 0 && tcp_is_received[args[0], args[1]]/
{
	return (1, mib_stack[args[1]]);
}
and from rawtp:::tcp_send_reset
/tcp_is_stray[args[0], args[1]]/
{
	return (1, mib_dev_stack[args[1]->dev]);
}

site mib:::[tT]cpInSegs from cgroup:skb::ingress
/cgroup_scope != 0 && tcp_is_received[args[0], args[1]]/
{
	return (1, mib_stack[args[1]]);
}

/* ---- datagrams: they count as received when the receiver takes them ---- */

inline int mib_is_v4[struct sk_buff *skb] = skb->protocol == 0x0008;

/* The last argument is negative if the datagram stays in the queue. */
inline int mib_is_taken[struct sock *sk, int n] = n >= 0 &&
    net_is_inet_of[sk, 2, IPPROTO_UDP] && net_in_scope[sk];

/*
 * If functions cannot be traced, nothing shows which datagram a program takes.  A socket of version 6 that
 * receives both versions takes the one that was first in its queue after the datagram before, or the first
 * one that has come since.  2 is MSG_PEEK.
 */
uint16_t mib_next[uintptr_t], mib_last[uintptr_t];

inline int mib_is_dual[struct sock *sk] = net_is_of[sk, 2, IPPROTO_UDP] &&
    sk->__sk_common.skc_family == AF_INET6 && !sk->__sk_common.skc_ipv6only;

cgroup:skb::ingress
/mib_is_dual[args[1]]/
{
	mib_last[(uintptr_t)args[1]] = args[0]->protocol;
	mib_next[(uintptr_t)args[1]] = mib_next[(uintptr_t)args[1]] != 0 ?
	    mib_next[(uintptr_t)args[1]] : args[0]->protocol;
}

inline uint16_t mib_head[struct sk_buff_head *queue] =
    (uintptr_t)queue->next == (uintptr_t)queue ? 0 : queue->next->protocol;

inline uint16_t mib_waits[struct sock *sk] = mib_head[&((struct udp_sock *)sk)->reader_queue] != 0 ?
    mib_head[&((struct udp_sock *)sk)->reader_queue] : mib_head[&sk->sk_receive_queue];

inline uint16_t mib_taken[struct sock *sk] = mib_next[(uintptr_t)sk] != 0 ? mib_next[(uintptr_t)sk] :
    mib_last[(uintptr_t)sk];

inline int mib_got_v4[struct sock *sk] = mib_is_dual[sk] ? mib_taken[sk] == 0x0008 :
    sk->__sk_common.skc_family == AF_INET;

inline int mib_is_got[struct sock *sk, int n, int flags] =
    (flags & 2) == 0 && mib_is_taken[sk, n];

site mib:::udpInDatagrams from fbt::skb_consume_udp:entry
/mib_is_taken[args[0], args[2]]/
{
	return (1, mib_stack[args[0]]);
}
else from rawtp:::sock_recv_length
/mib_is_got[args[0], args[1], args[2]]/
{
	return (1, mib_stack[args[0]]);
}

site mib:::udpInDatagrams from rawtp:::napi_gro_receive_entry, rawtp:::netif_rx
/net_is_tunneled[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::UdpInDatagrams from fbt::skb_consume_udp:entry
/mib_is_taken[args[0], args[2]] && mib_is_v4[args[1]]/
{
	return (1, mib_stack[args[0]]);
}
else from rawtp:::sock_recv_length
/mib_is_got[args[0], args[1], args[2]] &&
    mib_got_v4[args[0]]/
{
	return (1, mib_stack[args[0]]);
}

site mib:::UdpInDatagrams from rawtp:::napi_gro_receive_entry, rawtp:::netif_rx
/net_is_tunneled[args[0]] && net_has_outer4[net_outer_udp[args[0]]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Udp6InDatagrams from fbt::skb_consume_udp:entry
/mib_is_taken[args[0], args[2]] && !mib_is_v4[args[1]]/
{
	return (1, mib_stack[args[0]]);
}
else from rawtp:::sock_recv_length
/mib_is_got[args[0], args[1], args[2]] &&
    !mib_got_v4[args[0]]/
{
	return (1, mib_stack[args[0]]);
}

site mib:::Udp6InDatagrams from rawtp:::napi_gro_receive_entry, rawtp:::netif_rx
/net_is_tunneled[args[0]] && !net_has_outer4[net_outer_udp[args[0]]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/* After the sites above, which read the old value. */
rawtp:::sock_recv_length
/mib_is_got[args[0], args[1], args[2]] && mib_is_dual[args[0]]/
{
	mib_next[(uintptr_t)args[0]] = mib_waits[args[0]];
}

/* Datagrams sent by a socket, not by a tunnel: a tunnel's packet has the socket of the inner
 * packet, if any. */
inline int mib_udp_out[struct sk_buff *skb] = udp_is_sent[skb, IPPROTO_UDP] &&
    !skb->encapsulation && udp_has[skb->sk, IPPROTO_UDP];

site mib:::udpOutDatagrams from rawtp:::net_dev_queue
/mib_udp_out[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_udp_out[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::UdpOutDatagrams from rawtp:::net_dev_queue
/mib_udp_out[args[0]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_udp_out[args[0]] && mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::Udp6OutDatagrams from rawtp:::net_dev_queue
/mib_udp_out[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_udp_out[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::udpNoPorts from rawtp:::kfree_skb
/udp_is_stray[args[0], args[2], IPPROTO_UDP]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::UdpNoPorts from rawtp:::kfree_skb
/udp_is_stray[args[0], args[2], IPPROTO_UDP] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Udp6NoPorts from rawtp:::kfree_skb
/udp_is_stray[args[0], args[2], IPPROTO_UDP] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/* ---- packets ---- */

inline int mib_is_in[struct sk_buff *skb] = net_is_ip[skb] && !ip_is_bridged[skb->dev] &&
    cgroup_scope == 0 && !net_was_received[skb] && net_is_for_host[skb];

inline int mib_is_sent[struct sk_buff *skb] = net_is_ip[skb] && !net_was_sent[skb] &&
    !(skb->skb_iif != 0 && ip_is_bridged[skb->dev]) && net_in_scope[skb->sk] && !mib_is_frame[skb->sk];

inline int mib_is_out[struct sk_buff *skb] = mib_is_sent[skb] && net_is_first[net_hdr[skb]];

/*
 * Fragments are forwarded one by one; with connection tracking they are reassembled, and the packet
 * is fragmented again.
 */
inline int mib_is_passed[struct sk_buff *skb] = mib_is_sent[skb] && skb->skb_iif != 0 &&
    (skb->_nfct == 0 || net_is_first[net_hdr[skb]]);

site mib:::[iI]pInReceives from rawtp:::netif_receive_skb
/mib_is_in[args[0]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::ipv6InReceives from rawtp:::netif_receive_skb
/mib_is_in[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Ip6InReceives from rawtp:::netif_receive_skb
/mib_is_in[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/* raw_send_hdrinc() of version 4 does not count; its equal of version 6 does. */
site mib:::[iI]pOutRequests from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif == 0 && mib_is_v4[args[0]] && !mib_writes_headers[args[0]->sk]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif == 0 &&
    mib_is_v4[args[0]] && !mib_writes_headers[args[0]->sk]/
{
	return (1, mib_out_stack[args[0]]);
}
else from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif == 0 && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif == 0 &&
    mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::ipv6OutRequests from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif == 0 && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif == 0 &&
    !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::Ip6OutRequests from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif == 0 && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif == 0 &&
    !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::[iI]pForwDatagrams from rawtp:::net_dev_queue
/mib_is_passed[args[0]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_passed[args[0]] && mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}
else from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif != 0 && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif != 0 &&
    mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::ipv6ForwDatagrams from rawtp:::net_dev_queue
/mib_is_passed[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_passed[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}
else from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif != 0 && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif != 0 &&
    !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::Ip6OutForwDatagrams from rawtp:::net_dev_queue
/mib_is_passed[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_passed[args[0]] && !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}
else from rawtp:::net_dev_queue
/mib_is_out[args[0]] && args[0]->skb_iif != 0 && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_out[args[0]] && args[0]->skb_iif != 0 &&
    !mib_is_v4[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

/* ---- ICMP: the type is the first byte; EchoRep 0, DestUnreach 3, Echo 8 ---- */

inline int mib_type[struct net_ip4 *ip] = *(uint8_t *)net_l4[ip];

/*
 * Messages for this machine reach icmp_rcv().  If functions cannot be traced, the sites are where
 * these messages are freed: there, or in ping_rcv() if no socket waits for an answer to a ping.
 * Otherwise they go to a socket that does (SOCK_DGRAM, with this protocol).  Before 6.3 the place
 * of the free is unknown, so forwarded messages count, too.
 *
 * The kernel counts a type only if the checksum is right, which icmp_rcv() finds out itself.  So
 * the function is the second choice there; before 6.3, wrong checksums count with it.
 */
inline int mib_icmp_got[struct sk_buff *skb, uint8_t proto] = cgroup_scope == 0 && net_is_ip[skb] &&
    net_proto[net_hdr[skb]] == proto;

inline int mib_icmp_freed[struct sk_buff *skb, uintptr_t where] =
    (mib_frees[where, (uintptr_t)&`icmp_rcv] || mib_frees[where, (uintptr_t)&`ping_rcv]) &&
    mib_icmp_got[skb, IPPROTO_ICMP];

inline int mib_icmp6_freed[struct sk_buff *skb, uintptr_t where] =
    (mib_frees[where, (uintptr_t)&`icmpv6_rcv] || mib_frees[where, (uintptr_t)&`ping_rcv] ||
    mib_frees[where, (uintptr_t)&`mld_query_work] || mib_frees[where, (uintptr_t)&`mld_report_work]) &&
    mib_icmp_got[skb, IPPROTO_ICMPV6];

inline int mib_icmp_awaited[struct sock *sk, uint16_t proto] =
    net_is_of[sk, 2, proto] && cgroup_scope == 0;

inline int mib_icmp_in[struct sk_buff *skb, uint8_t proto] = mib_is_in[skb] &&
    net_proto[net_hdr_in[skb]] == proto && net_is_first[net_hdr_in[skb]];

/* A program that writes headers itself counts as a sender of ICMP, but not of ICMPv6. */
inline int mib_is_icmp[struct sk_buff *skb] =
    (uintptr_t)skb->data + skb->len - net_l4[net_hdr[skb]] >= 8;

inline int mib_icmp_out[struct sk_buff *skb, uint8_t proto] = mib_is_out[skb] &&
    skb->skb_iif == 0 && net_proto[net_hdr[skb]] == proto && mib_is_icmp[skb];

inline int mib_icmp6_out[struct sk_buff *skb] =
    mib_icmp_out[skb, IPPROTO_ICMPV6] && !mib_writes_headers[skb->sk];

site mib:*:*:[iI]cmpInMsgs from fbt::icmp_rcv:entry
/cgroup_scope == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from rawtp:::consume_skb
/mib_icmp_freed[args[0], (uintptr_t)args[1]] && mib_type[net_hdr[args[0]]] != 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_icmp_freed[args[0], (uintptr_t)args[1]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from cgroup:skb::ingress
/mib_icmp_awaited[args[1], IPPROTO_ICMP]/
{
	return (1, mib_stack[args[1]]);
}
else from rawtp:::netif_receive_skb
/mib_icmp_in[args[0], IPPROTO_ICMP]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:*:*:[iI]cmpInEchos from rawtp:::consume_skb
/mib_icmp_freed[args[0], (uintptr_t)args[1]] && mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/args[2] != SKB_DROP_REASON_ICMP_CSUM && mib_icmp_freed[args[0], (uintptr_t)args[1]] &&
    mib_is_icmp[args[0]] && mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from cgroup:skb::ingress
/mib_icmp_awaited[args[1], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_stack[args[1]]);
}
else from fbt::icmp_rcv:entry
/cgroup_scope == 0 && mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from rawtp:::netif_receive_skb
/mib_icmp_in[args[0], IPPROTO_ICMP] && mib_type[net_hdr_in[args[0]]] == 8/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/*
 * An answer that a socket takes counts there.  Some kernels give the socket a copy, and consume or
 * free the packet besides.
 */
site mib:*:*:[iI]cmpInEchoReps from rawtp:::kfree_skb
/args[2] != SKB_DROP_REASON_ICMP_CSUM && args[2] != SKB_DROP_REASON_SOCKET_RCVBUFF &&
    args[2] != SKB_DROP_REASON_SOCKET_FILTER && mib_icmp_freed[args[0], (uintptr_t)args[1]] &&
    mib_is_icmp[args[0]] && mib_type[net_hdr[args[0]]] == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from cgroup:skb::ingress
/mib_icmp_awaited[args[1], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 0/
{
	return (1, mib_stack[args[1]]);
}
else from fbt::icmp_rcv:entry
/cgroup_scope == 0 && mib_type[net_hdr[args[0]]] == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from rawtp:::netif_receive_skb
/mib_icmp_in[args[0], IPPROTO_ICMP] && mib_type[net_hdr_in[args[0]]] == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:*:*:[iI]cmpInDestUnreachs from rawtp:::consume_skb
/mib_icmp_freed[args[0], (uintptr_t)args[1]] && mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/args[2] != SKB_DROP_REASON_ICMP_CSUM && mib_icmp_freed[args[0], (uintptr_t)args[1]] &&
    mib_is_icmp[args[0]] && mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from cgroup:skb::ingress
/mib_icmp_awaited[args[1], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_stack[args[1]]);
}
else from fbt::icmp_rcv:entry
/cgroup_scope == 0 && mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from rawtp:::netif_receive_skb
/mib_icmp_in[args[0], IPPROTO_ICMP] && mib_type[net_hdr_in[args[0]]] == 3/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::[iI]cmp6InMsgs from fbt::icmpv6_rcv:entry
/cgroup_scope == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
else from rawtp:::consume_skb
/mib_icmp6_freed[args[0], (uintptr_t)args[1]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_icmp6_freed[args[0], (uintptr_t)args[1]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from cgroup:skb::ingress
/mib_icmp_awaited[args[1], IPPROTO_ICMPV6]/
{
	return (1, mib_stack[args[1]]);
}
else from rawtp:::netif_receive_skb
/mib_icmp_in[args[0], IPPROTO_ICMPV6]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:*:*:[iI]cmpOutMsgs from rawtp:::net_dev_queue
/mib_icmp_out[args[0], IPPROTO_ICMP]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp_out[args[0], IPPROTO_ICMP]/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:*:*:[iI]cmpOutEchos from rawtp:::net_dev_queue
/mib_icmp_out[args[0], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp_out[args[0], IPPROTO_ICMP] &&
    mib_type[net_hdr[args[0]]] == 8/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:*:*:[iI]cmpOutEchoReps from rawtp:::net_dev_queue
/mib_icmp_out[args[0], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 0/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp_out[args[0], IPPROTO_ICMP] &&
    mib_type[net_hdr[args[0]]] == 0/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:*:*:[iI]cmpOutDestUnreachs from rawtp:::net_dev_queue
/mib_icmp_out[args[0], IPPROTO_ICMP] && mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp_out[args[0], IPPROTO_ICMP] &&
    mib_type[net_hdr[args[0]]] == 3/
{
	return (1, mib_out_stack[args[0]]);
}

site mib:::[iI]cmp6OutMsgs from rawtp:::net_dev_queue
/mib_icmp6_out[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp6_out[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}
else from rawtp:::net_dev_queue
/mib_icmp_out[args[0], IPPROTO_ICMPV6]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_icmp_out[args[0], IPPROTO_ICMPV6]/
{
	return (1, mib_out_stack[args[0]]);
}

/* ---- losses and bytes ---- */

site mib:::rawipOutDatagrams from rawtp:::net_dev_queue
/mib_is_raw[args[0]->sk] && !args[0]->encapsulation && mib_is_out[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_raw[args[0]->sk] && !args[0]->encapsulation &&
    mib_is_out[args[0]]/
{
	return (1, mib_out_stack[args[0]]);
}

/*
 * A datagram counts as an error, whatever the reason, if a socket exists but did not get it, or if it is
 * shorter than its header says.  Only UDP frees a datagram whose UDP header is at skb->data; a broadcast
 * without a receiver is no error (PACKET_HOST 0).
 */
inline int mib_udp_lost[struct sk_buff *skb, int reason] = cgroup_scope == 0 && net_is_ip[skb] &&
    skb->skb_iif != 0 && (reason == SKB_DROP_REASON_UDP_CSUM ||
    reason == SKB_DROP_REASON_SOCKET_RCVBUFF || reason == SKB_DROP_REASON_PROTO_MEM ||
    reason == SKB_DROP_REASON_SOCKET_FILTER || ((reason == SKB_DROP_REASON_PKT_TOO_SMALL ||
    reason == SKB_DROP_REASON_NOT_SPECIFIED) && skb->pkt_type == 0 &&
    (uintptr_t)skb->data == net_l4[net_hdr[skb]])) &&
    net_proto[net_hdr[skb]] == IPPROTO_UDP;

site mib:::udpInErrors from rawtp:::kfree_skb
/mib_udp_lost[args[0], args[2]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::UdpInErrors from rawtp:::kfree_skb
/mib_udp_lost[args[0], args[2]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Udp6InErrors from rawtp:::kfree_skb
/mib_udp_lost[args[0], args[2]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::udpInCksumErrs from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_UDP_CSUM && mib_udp_lost[args[0], args[2]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::UdpInCsumErrors from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_UDP_CSUM && mib_udp_lost[args[0], args[2]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Udp6InCsumErrors from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_UDP_CSUM && mib_udp_lost[args[0], args[2]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::udpInOverflows from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_SOCKET_RCVBUFF && mib_udp_lost[args[0], args[2]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::UdpRcvbufErrors from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_SOCKET_RCVBUFF && mib_udp_lost[args[0], args[2]] && mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::Udp6RcvbufErrors from rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_SOCKET_RCVBUFF && mib_udp_lost[args[0], args[2]] && !mib_is_v4[args[0]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/* A full socket that may not wait (EAGAIN, 11) is no error. */
site mib:::udpOutErrors from rawtp:::sock_send_length
/args[1] < 0 && args[1] != -11 && net_is_inet_of[args[0], 2, IPPROTO_UDP] && net_in_scope[args[0]]/
{
	return (1, mib_stack[args[0]]);
}

/*
 * A SYN, or the last segment of a handshake, is dropped if the listener's queue of connections to
 * accept is full.  Without cookies, a SYN is dropped if as many handshakes are in progress.
 */
inline int mib_is_asked[struct sk_buff *skb, struct sock *sk] = net_is_of[sk, 1, IPPROTO_TCP] &&
    sk->__sk_common.skc_state == TCP_STATE_LISTEN && net_in_scope[sk] &&
    (tcp_hdr_of[net_hdr[skb]]->flags & TH_RST) == 0;

inline int mib_is_full[struct sock *sk] = sk->sk_ack_backlog > sk->sk_max_ack_backlog;

inline int mib_is_full0[struct sock *sk] =
    tcp_icsk[sk]->icsk_accept_queue.qlen.counter >= sk->sk_max_ack_backlog &&
    sk->__sk_common.skc_net.net->ipv4.sysctl_tcp_syncookies == 0;

site mib:::tcpListenDrop from cgroup:skb::ingress
/mib_is_asked[args[0], args[1]] && mib_is_full[args[1]]/
{
	return (1, mib_stack[args[1]]);
}

site mib:::TcpExtListenOverflows from cgroup:skb::ingress
/mib_is_asked[args[0], args[1]] && mib_is_full[args[1]]/
{
	return (1, mib_stack[args[1]]);
}

site mib:::tcpListenDropQ0 from cgroup:skb::ingress
/mib_is_asked[args[0], args[1]] && tcp_is_syn[net_hdr[args[0]]] && mib_is_full0[args[1]] &&
    !mib_is_full[args[1]]/
{
	return (1, mib_stack[args[1]]);
}

inline int mib_bytes[struct sk_buff *skb, struct net_tcp *th] =
    (int)((uintptr_t)skb->data + skb->len - (uintptr_t)th) - ((th->off >> 4) << 2);

site mib:::tcpOutDataBytes from rawtp:::net_dev_queue
/mib_tcp_out[args[0]] && !mib_is_again[args[0], tcp_hdr_of[net_hdr[args[0]]]] &&
    mib_bytes[args[0], tcp_hdr_of[net_hdr[args[0]]]] > 0/
{
	return (mib_bytes[args[0], tcp_hdr_of[net_hdr[args[0]]]], mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_tcp_out[args[0]] && !mib_is_again[args[0],
    tcp_hdr_of[net_hdr[args[0]]]] && mib_bytes[args[0], tcp_hdr_of[net_hdr[args[0]]]] > 0/
{
	return (mib_bytes[args[0], tcp_hdr_of[net_hdr[args[0]]]], mib_out_stack[args[0]]);
}

site mib:::tcpRetransBytes from rawtp:::tcp_retransmit_skb
/args[2] == 0 && args[1]->len > 0 && net_in_scope[args[0]]/
{
	return (args[1]->len, mib_stack[args[0]]);
}
else from rawtp:::tcp_retransmit_skb
/args[1]->len > 0 && net_in_scope[args[0]]/
{
	return (args[1]->len, mib_stack[args[0]]);
}

site mib:::ipIfStatsHCInOctets from rawtp:::netif_receive_skb
/mib_is_in[args[0]]/
{
	return (args[0]->len, mib_dev_stack[args[0]->dev]);
}

site mib:::IpExtInOctets from rawtp:::netif_receive_skb
/mib_is_in[args[0]] && mib_is_v4[args[0]]/
{
	return (args[0]->len, mib_dev_stack[args[0]->dev]);
}

site mib:::Ip6InOctets from rawtp:::netif_receive_skb
/mib_is_in[args[0]] && !mib_is_v4[args[0]]/
{
	return (args[0]->len, mib_dev_stack[args[0]->dev]);
}

/* Packets as they leave, with the header that net_dev_queue has put in front of IP's. */
inline int mib_octets[struct sk_buff *skb] =
    (uintptr_t)skb->data + skb->len - (uintptr_t)net_hdr[skb];

site mib:::ipIfStatsHCOutOctets from rawtp:::net_dev_queue
/mib_is_sent[args[0]]/
{
	return (mib_octets[args[0]], mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_sent[args[0]]/
{
	return (mib_octets[args[0]], mib_out_stack[args[0]]);
}

site mib:::IpExtOutOctets from rawtp:::net_dev_queue
/mib_is_sent[args[0]] && mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_sent[args[0]] && mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_out_stack[args[0]]);
}

site mib:::Ip6OutOctets from rawtp:::net_dev_queue
/mib_is_sent[args[0]] && !mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_dev_stack[args[0]->dev]);
}
and from rawtp:::kfree_skb
/mib_is_unsent[args[0], (uintptr_t)args[1], args[2]] && mib_is_sent[args[0]] && !mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_out_stack[args[0]]);
}

/*
 * A run that is limited to a cgroup sees packets when a socket gets them: a fragmented packet counts once,
 * as in ip:::receive.
 */
inline int mib_is_scoped[struct sock *sk] = cgroup_scope != 0 && net_in_scope[sk];

site mib:::[iI]pInReceives from cgroup:skb::ingress
/mib_is_scoped[args[1]] && mib_is_v4[args[0]]/
{
	return (1, mib_stack[args[1]]);
}

site mib:::ipv6InReceives from cgroup:skb::ingress
/mib_is_scoped[args[1]] && !mib_is_v4[args[0]]/
{
	return (1, mib_stack[args[1]]);
}

site mib:::Ip6InReceives from cgroup:skb::ingress
/mib_is_scoped[args[1]] && !mib_is_v4[args[0]]/
{
	return (1, mib_stack[args[1]]);
}

site mib:::ipIfStatsHCInOctets from cgroup:skb::ingress
/mib_is_scoped[args[1]]/
{
	return (mib_octets[args[0]], mib_stack[args[1]]);
}

site mib:::IpExtInOctets from cgroup:skb::ingress
/mib_is_scoped[args[1]] && mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_stack[args[1]]);
}

site mib:::Ip6InOctets from cgroup:skb::ingress
/mib_is_scoped[args[1]] && !mib_is_v4[args[0]]/
{
	return (mib_octets[args[0]], mib_stack[args[1]]);
}

site mib:::ipIfStatsInHdrErrors from rawtp:::kfree_skb
/(args[2] == SKB_DROP_REASON_IP_CSUM || args[2] == SKB_DROP_REASON_IP_INHDR) &&
    ip_is_dropped_in[args[0], args[2]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

/* Packets without a fault of their own: a firewall or a policy refuses them, or there is no room. */
site mib:::ipIfStatsInDiscards from rawtp:::kfree_skb
/(args[2] == SKB_DROP_REASON_NETFILTER_DROP || args[2] == SKB_DROP_REASON_XFRM_POLICY ||
    args[2] == SKB_DROP_REASON_NOMEM || args[2] == SKB_DROP_REASON_CPU_BACKLOG) &&
    ip_is_dropped_in[args[0], args[2]]/
{
	return (1, mib_dev_stack[args[0]->dev]);
}

site mib:::ipIfStatsOutDiscards from rawtp:::kfree_skb
/(args[2] == SKB_DROP_REASON_NETFILTER_DROP || args[2] == SKB_DROP_REASON_NOMEM ||
    args[2] == SKB_DROP_REASON_NEIGH_QUEUEFULL || args[2] == SKB_DROP_REASON_NEIGH_FAILED ||
    args[2] == SKB_DROP_REASON_QDISC_DROP || args[2] == SKB_DROP_REASON_FULL_RING) &&
    ip_is_dropped_out[args[0], args[2]]/
{
	return (1, mib_out_stack[args[0]]);
}

/*
 * tcp_rcv_established() shows each segment before it handles it.  Data before the next expected byte
 * has been received before; data after it waits for the missing bytes.
 */
inline int mib_skip[struct sock *sk, struct sk_buff *skb] =
    (int)(tcp_sk[sk]->rcv_nxt - ntohl(tcp_hdr_of[net_hdr[skb]]->seq));

inline int mib_in_bytes[struct sock *sk, struct sk_buff *skb] = net_in_scope[sk] ?
    mib_bytes[skb, tcp_hdr_of[net_hdr[skb]]] : 0;

site mib:::tcpInDataInorderBytes from rawtp:::tcp_probe
/mib_skip[args[0], args[1]] >= 0 && mib_skip[args[0], args[1]] < mib_in_bytes[args[0], args[1]]/
{
	return (mib_in_bytes[args[0], args[1]] - mib_skip[args[0], args[1]], mib_stack[args[0]]);
}

site mib:::tcpInDataDupBytes from rawtp:::tcp_probe
/mib_skip[args[0], args[1]] > 0 && mib_in_bytes[args[0], args[1]] > 0/
{
	return (mib_skip[args[0], args[1]] < mib_in_bytes[args[0], args[1]] ? mib_skip[args[0], args[1]] :
	    mib_in_bytes[args[0], args[1]], mib_stack[args[0]]);
}

site mib:::tcpInDataUnorderBytes from rawtp:::tcp_probe
/mib_skip[args[0], args[1]] < 0 && mib_in_bytes[args[0], args[1]] > 0/
{
	return (mib_in_bytes[args[0], args[1]], mib_stack[args[0]]);
}
