/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sctp.d: the sctp provider: packets, each with all its chunks.
 */
#pragma D depends_on library net.d
#pragma D depends_on library ip.d

struct net_sctp {
	uint16_t sport;
	uint16_t dport;
	uint32_t verify;
	uint32_t sum;
};

typedef struct sctpinfo {
	uint16_t sctp_sport;
	uint16_t sctp_dport;
	uint32_t sctp_verify;
	uint32_t sctp_checksum;
	uintptr_t sctp_hdr;
} sctpinfo_t;

translator sctpinfo_t < struct net_sctp *H > {
	sctp_sport = ntohs(H->sport);
	sctp_dport = ntohs(H->dport);
	sctp_verify = ntohl(H->verify);
	sctp_checksum = ntohl(H->sum);
	sctp_hdr = (uintptr_t)H;
};

typedef struct sctpsinfo {
	uintptr_t sctps_addr;
	uint16_t sctps_lport;
	uint16_t sctps_rport;
	string sctps_laddr;
	string sctps_raddr;
	int32_t sctps_state;
} sctpsinfo_t;

inline string sctp_laddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_rcv_saddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_rcv_saddr);

inline string sctp_raddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_daddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_daddr);

translator sctpsinfo_t < struct sock *S > {
	sctps_addr = (uintptr_t)S;
	sctps_lport = S == NULL ? 0 : S->__sk_common.skc_num;
	sctps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	sctps_laddr = S == NULL ? "<unknown>" : sctp_laddr[S];
	sctps_raddr = S == NULL ? "<unknown>" : sctp_raddr[S];
	sctps_state = S == NULL ? 0 : S->__sk_common.skc_state;
};

provider sctp {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_sctp *sh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, sctpsinfo_t *sk, sctpinfo_t *sh);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_sctp *sh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, sctpsinfo_t *sk, sctpinfo_t *sh);
};

site sctp:::send from rawtp:::net_dev_queue
/net_is_ip[args[0]] && !net_was_sent[args[0]] && args[0]->skb_iif == 0 &&
    net_proto[net_hdr[args[0]]] == IPPROTO_SCTP && net_is_first[net_hdr[args[0]]] &&
    net_in_scope[args[0]->sk]/
{
	return (args[0], args[0]->sk, net_hdr[args[0]], (struct net_sctp *)net_l4[net_hdr[args[0]]]);
}

site sctp:::receive from cgroup:skb::ingress
/args[1]->sk_protocol == IPPROTO_SCTP && net_in_scope[args[1]]/
{
	return (args[0], args[1], net_hdr[args[0]], (struct net_sctp *)net_l4[net_hdr[args[0]]]);
}
