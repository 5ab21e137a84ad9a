/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udplite.d: the udplite provider: like udp, with the coverage instead of the length.
 */
#pragma D depends_on library net.d
#pragma D depends_on library ip.d
#pragma D depends_on library udp.d

typedef struct udpliteinfo {
	uint16_t udplite_sport;     /* port of the sender */
	uint16_t udplite_dport;     /* port of the receiver */
	uint16_t udplite_coverage;  /* bytes that the checksum covers */
	uint16_t udplite_checksum;  /* of these bytes */
	struct udphdr *udplite_hdr; /* the header itself */
} udpliteinfo_t;

translator udpliteinfo_t < struct net_udp *U > {
	udplite_sport = ntohs(U->sport);
	udplite_dport = ntohs(U->dport);
	udplite_coverage = ntohs(U->len);
	udplite_checksum = ntohs(U->sum);
	udplite_hdr = (struct udphdr *)U;
};

typedef struct udplitesinfo {
	uintptr_t udplites_addr; /* the struct sock */
	uint16_t udplites_lport; /* local port */
	uint16_t udplites_rport; /* remote port */
	string udplites_laddr;   /* local address */
	string udplites_raddr;   /* remote address */
} udplitesinfo_t;

translator udplitesinfo_t < struct sock *S > {
	udplites_addr = udp_has[S, IPPROTO_UDPLITE] ? (uintptr_t)S : 0;
	udplites_lport = !udp_has[S, IPPROTO_UDPLITE] ? 0 : S->__sk_common.skc_num;
	udplites_rport = !udp_has[S, IPPROTO_UDPLITE] ? 0 : ntohs(S->__sk_common.skc_dport);
	udplites_laddr = !udp_has[S, IPPROTO_UDPLITE] ? "<unknown>" : udp_laddr[S];
	udplites_raddr = !udp_has[S, IPPROTO_UDPLITE] ? "<unknown>" : udp_raddr[S];
};

provider udplite {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_udp *uh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, udplitesinfo_t *sk, udpliteinfo_t *uh);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_udp *uh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, udplitesinfo_t *sk, udpliteinfo_t *uh);
};

site udplite:::send from rawtp:::net_dev_queue
/udp_is_sent[args[0], IPPROTO_UDPLITE]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}

site udplite:::receive from cgroup:skb::ingress
/net_is_of[args[1], 2, IPPROTO_UDPLITE] && net_in_scope[args[1]]/
{
	this->net_skb = args[0];
	return (args[0], args[1], net_hdr[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}

site udplite:::receive from rawtp:::kfree_skb
/udp_is_stray[args[0], args[2], IPPROTO_UDPLITE]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, net_hdr[args[0]], udp_hdr_of[net_hdr[args[0]]]);
}
