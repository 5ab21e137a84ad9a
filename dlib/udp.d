/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udp.d: the udp provider.  A datagram counts once, however many fragments it has.
 */
#pragma D depends_on library net.d
#pragma D depends_on library ip.d

inline int UDPH_SIZE = 8;

typedef struct udpinfo {
	uint16_t udp_sport;     /* port of the sender */
	uint16_t udp_dport;     /* port of the receiver */
	uint32_t udp_length;    /* bytes of header and data */
	uint16_t udp_checksum;  /* of header and data */
	struct udphdr *udp_hdr; /* the header itself */
} udpinfo_t;

translator udpinfo_t < struct net_udp *U > {
	udp_sport = ntohs(U->sport);
	udp_dport = ntohs(U->dport);
	udp_length = net_length[U->len, (uintptr_t)U];
	udp_checksum = ntohs(U->sum);
	udp_hdr = (struct udphdr *)U;
};

typedef struct udpsinfo {
	uintptr_t udps_addr; /* the struct sock */
	uint16_t udps_lport; /* local port */
	uint16_t udps_rport; /* remote port */
	string udps_laddr;   /* local address */
	string udps_raddr;   /* remote address */
} udpsinfo_t;

inline string udp_laddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_rcv_saddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_rcv_saddr);

inline string udp_raddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_daddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_daddr);

/* Is it a socket of this protocol?  Others can also send the datagram. */
inline int udp_has[struct sock *sk, uint16_t proto] = net_is_whole[sk] && net_is_of[sk, 2, proto];

translator udpsinfo_t < struct sock *S > {
	udps_addr = udp_has[S, IPPROTO_UDP] ? (uintptr_t)S : 0;
	udps_lport = !udp_has[S, IPPROTO_UDP] ? 0 : S->__sk_common.skc_num;
	udps_rport = !udp_has[S, IPPROTO_UDP] ? 0 : ntohs(S->__sk_common.skc_dport);
	udps_laddr = !udp_has[S, IPPROTO_UDP] ? "<unknown>" : udp_laddr[S];
	udps_raddr = !udp_has[S, IPPROTO_UDP] ? "<unknown>" : udp_raddr[S];
};

provider udp {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct sock *own,
	    struct net_udp *uh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, udpsinfo_t *own, udpinfo_t *uh);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_udp *uh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, udpsinfo_t *sk, udpinfo_t *uh);
};

inline struct net_udp *udp_hdr_of[struct net_ip4 *ip] = (struct net_udp *)net_l4[ip];

/* Is this a datagram (or its first fragment) of one of our sockets?  proto is UDP or UDP-Lite. */
inline int udp_is_sent[struct sk_buff *skb, uint8_t proto] = net_is_ip[skb] &&
    !net_was_sent[skb] && skb->skb_iif == 0 && net_proto[net_hdr[skb]] == proto &&
    net_is_first[net_hdr[skb]] && net_in_scope[skb->sk] && net_has[skb, net_l4[net_hdr[skb]], 8];

/*
 * The socket whose datagram this is.  A packet in a tunnel keeps the socket of the datagram inside; the kernel notes
 * where its headers are (iptunnel_handle_offloads).
 */
inline struct sock *udp_own[struct sk_buff *skb] = skb->inner_network_header == 0 ? skb->sk : NULL;

site udp:::send from rawtp:::net_dev_queue
/udp_is_sent[args[0], IPPROTO_UDP]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], udp_own[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}

site udp:::receive from cgroup:skb::ingress
/net_is_of[args[1], 2, IPPROTO_UDP] && net_in_scope[args[1]]/
{
	this->net_skb = args[0];
	return (args[0], args[1], net_hdr[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}

/* GRO has not changed the packet yet; devices without GRO deliver it by netif_rx. */
site udp:::receive from rawtp:::napi_gro_receive_entry, rawtp:::netif_rx
/net_is_tunneled[args[0]]/
{
	this->net_skb = NULL;
	return (args[0], (struct sock *)NULL, net_outer[net_outer_udp[args[0]]],
	    net_outer_udp[args[0]]);
}

/*
 * A datagram to a port without a listener is received, and dropped, once.  The kernel gives another
 * reason for a multicast datagram whose group has no member.
 */
inline int udp_is_stray[struct sk_buff *skb, int reason, uint8_t proto] =
    reason == SKB_DROP_REASON_NO_SOCKET && cgroup_scope == 0 && net_is_ip[skb] &&
    net_proto[net_hdr[skb]] == proto;

site udp:::receive from rawtp:::kfree_skb
/udp_is_stray[args[0], args[2], IPPROTO_UDP]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, net_hdr[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}
