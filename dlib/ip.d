/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ip.d: the ip provider: every IPv4 and IPv6 packet that this host sends or receives, including
 * loopback and forwarded ones.  A packet that leaves through several devices counts once; fragments
 * count each.  drop-in and drop-out are packets that the kernel drops for a named reason, which is
 * args[6] (SKB_DROP_REASON_NO_SOCKET ...; other probes have SKB_NOT_DROPPED_YET).  Forwarded
 * packets count as incoming.
 */
#pragma D depends_on library net.d

typedef struct ipinfo {
	uint8_t ip_ver;      /* 4 or 6 */
	uint32_t ip_plength; /* bytes that follow the header */
	string ip_saddr;     /* the sender */
	string ip_daddr;     /* the receiver */
} ipinfo_t;

/* Bits of ipv4_flags. */
inline int IPH_DF = 4;
inline int IPH_MF = 2;

inline string ip_text4[uint32_t *a] = inet_ntoa((ipaddr_t *)a);
inline string ip_text6[uint64_t *a] = inet_ntoa6((in6_addr_t *)a);

inline uint32_t ip_plen4[uint32_t length, uint32_t header] = length > header ? length - header : 0;

translator ipinfo_t < struct net_ip4 *I > {
	ip_ver = I == NULL ? 0 : I->vihl >> 4;
	ip_plength = I == NULL ? 0 :
	    net_is_v4[I] ? ip_plen4[net_length[I->len, (uintptr_t)I], (I->vihl & 15) << 2] :
	    net_plen6[(struct net_ip6 *)I];
	ip_saddr = I == NULL ? "<unknown>" :
	    net_is_v4[I] ? ip_text4[&I->src] : ip_text6[&((struct net_ip6 *)I)->src[0]];
	ip_daddr = I == NULL ? "<unknown>" :
	    net_is_v4[I] ? ip_text4[&I->dst] : ip_text6[&((struct net_ip6 *)I)->dst[0]];
};

typedef struct ipv4info {
	uint8_t ipv4_ver;       /* 4; 0: not an IPv4 packet */
	uint8_t ipv4_ihl;       /* bytes of the header */
	uint8_t ipv4_tos;       /* type of service */
	uint32_t ipv4_length;   /* bytes of header and data */
	uint16_t ipv4_ident;    /* identification of fragments */
	uint8_t ipv4_flags;     /* 8: reserved, 4: must not be fragmented, 2: more fragments follow */
	uint16_t ipv4_offset;   /* position of a fragment, in units of 8 bytes */
	uint8_t ipv4_ttl;       /* remaining hops */
	uint8_t ipv4_protocol;  /* IPPROTO_TCP and so on */
	string ipv4_protostr;   /* the same as text */
	uint16_t ipv4_checksum; /* of the header */
	ipaddr_t ipv4_src;      /* the sender, in network order */
	ipaddr_t ipv4_dst;      /* the receiver */
	string ipv4_saddr;      /* the sender as text */
	string ipv4_daddr;      /* the receiver as text */
	struct iphdr *ipv4_hdr; /* the header itself */
} ipv4info_t;

inline string ip_protostr[uint8_t p] =
    p == IPPROTO_TCP ? "TCP" :
    p == IPPROTO_UDP ? "UDP" :
    p == IPPROTO_IP ? "IP" :
    p == IPPROTO_ICMP ? "ICMP" :
    p == IPPROTO_IGMP ? "IGMP" :
    p == IPPROTO_EGP ? "EGP" :
    p == IPPROTO_IPV6 ? "IPv6" :
    p == IPPROTO_ROUTING ? "ROUTE" :
    p == IPPROTO_ESP ? "ESP" :
    p == IPPROTO_AH ? "AH" :
    p == IPPROTO_ICMPV6 ? "ICMPv6" :
    p == IPPROTO_OSPF ? "OSPF" :
    p == IPPROTO_SCTP ? "SCTP" :
    p == IPPROTO_RAW ? "RAW" :
    lltostr((int64_t)p);

inline int ip_has4[struct net_ip4 *ip] = ip != NULL && net_is_v4[ip];
inline int ip_has6[struct net_ip4 *ip] = ip != NULL && !net_is_v4[ip];

translator ipv4info_t < struct net_ip4 *I > {
	ipv4_ver = ip_has4[I] ? 4 : 0;
	ipv4_ihl = ip_has4[I] ? (I->vihl & 15) << 2 : 0;
	ipv4_tos = ip_has4[I] ? I->tos : 0;
	ipv4_length = ip_has4[I] ? net_length[I->len, (uintptr_t)I] : 0;
	ipv4_ident = ip_has4[I] ? ntohs(I->id) : 0;
	ipv4_flags = ip_has4[I] ? ntohs(I->off) >> 13 << 1 : 0;
	ipv4_offset = ip_has4[I] ? ntohs(I->off) & 0x1fff : 0;
	ipv4_ttl = ip_has4[I] ? I->ttl : 0;
	ipv4_protocol = ip_has4[I] ? I->proto : 0;
	ipv4_protostr = ip_has4[I] ? ip_protostr[I->proto] : "<null>";
	ipv4_checksum = ip_has4[I] ? ntohs(I->sum) : 0;
	ipv4_src = ip_has4[I] ? I->src : 0;
	ipv4_dst = ip_has4[I] ? I->dst : 0;
	ipv4_saddr = ip_has4[I] ? ip_text4[&I->src] : "<null>";
	ipv4_daddr = ip_has4[I] ? ip_text4[&I->dst] : "<null>";
	ipv4_hdr = ip_has4[I] ? (struct iphdr *)I : NULL;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;         /* 6; 0: not an IPv6 packet */
	uint8_t ipv6_tclass;      /* traffic class */
	uint32_t ipv6_flow;       /* flow label */
	uint32_t ipv6_plen;       /* bytes that follow the header */
	uint8_t ipv6_nexthdr;     /* IPPROTO_TCP and so on */
	string ipv6_nextstr;      /* the same as text */
	uint8_t ipv6_hlim;        /* remaining hops */
	in6_addr_t *ipv6_src;     /* the sender */
	in6_addr_t *ipv6_dst;     /* the receiver */
	string ipv6_saddr;        /* the sender as text */
	string ipv6_daddr;        /* the receiver as text */
	struct ipv6hdr *ipv6_hdr; /* the header itself */
} ipv6info_t;

inline struct net_ip6 *ip_v6[struct net_ip4 *ip] = (struct net_ip6 *)ip;

translator ipv6info_t < struct net_ip4 *I > {
	ipv6_ver = ip_has6[I] ? 6 : 0;
	ipv6_tclass = ip_has6[I] ? (ntohl(ip_v6[I]->flow) >> 20) & 0xff : 0;
	ipv6_flow = ip_has6[I] ? ntohl(ip_v6[I]->flow) & 0xfffff : 0;
	ipv6_plen = ip_has6[I] ? net_plen6[ip_v6[I]] : 0;
	ipv6_nexthdr = ip_has6[I] ? ip_v6[I]->next : 0;
	ipv6_nextstr = ip_has6[I] ? ip_protostr[ip_v6[I]->next] : "<null>";
	ipv6_hlim = ip_has6[I] ? ip_v6[I]->hlim : 0;
	ipv6_src = ip_has6[I] ? (in6_addr_t *)&ip_v6[I]->src[0] : NULL;
	ipv6_dst = ip_has6[I] ? (in6_addr_t *)&ip_v6[I]->dst[0] : NULL;
	ipv6_saddr = ip_has6[I] ? ip_text6[&ip_v6[I]->src[0]] : "<null>";
	ipv6_daddr = ip_has6[I] ? ip_text6[&ip_v6[I]->dst[0]] : "<null>";
	ipv6_hdr = ip_has6[I] ? (struct ipv6hdr *)I : NULL;
};

provider ip {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_device *dev,
	    enum skb_drop_reason reason) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, ifinfo_t *dev, ipv4info_t *ip,
	    ipv6info_t *ip, enum skb_drop_reason reason);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_device *dev,
	    enum skb_drop_reason reason) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, ifinfo_t *dev, ipv4info_t *ip,
	    ipv6info_t *ip, enum skb_drop_reason reason);
	probe drop__in(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_device *dev,
	    enum skb_drop_reason reason) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, ifinfo_t *dev, ipv4info_t *ip,
	    ipv6info_t *ip, enum skb_drop_reason reason);
	probe drop__out(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_device *dev,
	    enum skb_drop_reason reason) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, ifinfo_t *dev, ipv4info_t *ip,
	    ipv6info_t *ip, enum skb_drop_reason reason);
};

/* A bridge forwards frames below IP: IFF_BRIDGE_PORT is 1 << 9, IFF_OVS_DATAPATH 1 << 10. */
inline int ip_is_bridged[struct net_device *dev] = (dev->priv_flags & 0x600) != 0;

site ip:::send from rawtp:::net_dev_queue
/net_is_ip[args[0]] && !net_was_sent[args[0]] &&
    !(args[0]->skb_iif != 0 && ip_is_bridged[args[0]->dev]) && net_in_scope[args[0]->sk] &&
    net_has_ip[args[0], (uintptr_t)net_hdr[args[0]]]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], args[0]->dev, SKB_NOT_DROPPED_YET);
}

/* The socket of a received packet is not known yet (on veth it would be the sender's). */
site ip:::receive from rawtp:::netif_receive_skb
/net_is_ip[args[0]] && !ip_is_bridged[args[0]->dev] &&
    cgroup_scope == 0 && !net_was_received[args[0]] && net_is_for_host[args[0]] &&
    net_has_ip[args[0], (uintptr_t)args[0]->data]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, net_hdr_in[args[0]], args[0]->dev,
	    SKB_NOT_DROPPED_YET);
}

/*
 * A VLAN tag that the device has left in the frame (ETH_P_8021Q, ETH_P_8021AD in network order), or two of them.  The kernel removes
 * them after this tracepoint.  The IP layer gets the packet if the device has VLANs, or if the tag has only a
 * priority.
 */
inline int ip_is_tag[uint16_t type] = type == 0x0081 || type == 0xa888;

inline uint16_t ip_tagged[uintptr_t tag] = *(uint16_t *)(tag + 2);

inline uintptr_t ip_untagged[uintptr_t tag] = ip_is_tag[ip_tagged[tag]] ? tag + 8 : tag + 4;

inline uint16_t ip_tagged_type[uintptr_t tag] = ip_tagged[ip_untagged[tag] - 4];

inline int ip_is_tagged[struct sk_buff *skb, uintptr_t tag] = net_has[skb, tag, 24] &&
    (ip_tagged_type[tag] == 0x0008 || ip_tagged_type[tag] == 0xdd86) &&
    net_has[skb, ip_untagged[tag], ip_tagged_type[tag] == 0x0008 ? 20 : 40];

inline int ip_has_priority[uintptr_t tag] = (*(uint16_t *)tag & 0xff0f) == 0;

site ip:::receive from rawtp:::netif_receive_skb
/ip_is_tag[args[0]->protocol] && !ip_is_bridged[args[0]->dev] && cgroup_scope == 0 &&
    !net_was_received[args[0]] && net_is_for_host[args[0]] &&
    (args[0]->dev->vlan_info != NULL || ip_has_priority[(uintptr_t)args[0]->data]) &&
    ip_is_tagged[args[0], (uintptr_t)args[0]->data]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, (struct net_ip4 *)ip_untagged[(uintptr_t)args[0]->data],
	    args[0]->dev, SKB_NOT_DROPPED_YET);
}
else from rawtp:::netif_receive_skb
/ip_is_tag[args[0]->protocol] && !ip_is_bridged[args[0]->dev] && cgroup_scope == 0 &&
    !net_was_received[args[0]] && net_is_for_host[args[0]] &&
    ip_has_priority[(uintptr_t)args[0]->data] && ip_is_tagged[args[0], (uintptr_t)args[0]->data]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, (struct net_ip4 *)ip_untagged[(uintptr_t)args[0]->data],
	    args[0]->dev, SKB_NOT_DROPPED_YET);
}

/*
 * A run that is limited to a cgroup sees the packets that sockets in the cgroup get, at that
 * moment; a fragmented packet counts once.
 */
site ip:::receive from cgroup:skb::ingress
/cgroup_scope != 0 && net_in_scope[args[1]]/
{
	this->net_skb = args[0];
	return (args[0], args[1], net_hdr[args[0]], args[0]->dev, SKB_NOT_DROPPED_YET);
}

/*
 * Packets freed without a named reason are not necessarily lost.  Nor are packets in a queue that
 * is closed (SKB_DROP_REASON_QUEUE_PURGE, since 6.8).
 */
inline int ip_is_dropped[struct sk_buff *skb, int reason] = reason > SKB_DROP_REASON_NOT_SPECIFIED &&
    net_is_ip[skb];

/* PACKET_OTHERHOST 3. */
inline int ip_is_dropped_in[struct sk_buff *skb, int reason] = ip_is_dropped[skb, reason] &&
    skb->skb_iif != 0 && !ip_is_bridged[skb->dev] && skb->pkt_type != 3 && cgroup_scope == 0;

inline int ip_is_dropped_out[struct sk_buff *skb, int reason] = ip_is_dropped[skb, reason] &&
    skb->skb_iif == 0 && net_in_scope[skb->sk];

/* Since 6.11 the tracepoint has the socket for which the packet came. */
site ip:::drop-in from rawtp:::kfree_skb
/args[2] != SKB_DROP_REASON_QUEUE_PURGE && ip_is_dropped_in[args[0], args[2]]/
{
	this->net_skb = args[0];
	return (args[0], args[3], net_hdr[args[0]], args[0]->dev, args[2]);
}
else from rawtp:::kfree_skb
/ip_is_dropped_in[args[0], args[2]]/
{
	this->net_skb = args[0];
	return (args[0], (struct sock *)NULL, net_hdr[args[0]], args[0]->dev, args[2]);
}

site ip:::drop-out from rawtp:::kfree_skb
/args[2] != SKB_DROP_REASON_QUEUE_PURGE && ip_is_dropped_out[args[0], args[2]]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], args[0]->dev, args[2]);
}
else from rawtp:::kfree_skb
/ip_is_dropped_out[args[0], args[2]]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], args[0]->dev, args[2]);
}
