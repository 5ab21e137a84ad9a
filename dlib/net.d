/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * net.d: shared by the network providers: packet and socket information, positions of headers in a
 * packet, owners of sockets, and the packet that each CPU is receiving.
 *
 * Headers are read through our own structures: one copy of a whole header serves all its fields.
 */
#pragma D depends_on library kernel.d

struct net_ip4 {
	uint8_t vihl;
	uint8_t tos;
	uint16_t len;
	uint16_t id;
	uint16_t off;
	uint8_t ttl;
	uint8_t proto;
	uint16_t sum;
	uint32_t src;
	uint32_t dst;
};

struct net_ip6 {
	uint32_t flow;
	uint16_t plen;
	uint8_t next;
	uint8_t hlim;
	uint64_t src[2];
	uint64_t dst[2];
};

struct net_udp {
	uint16_t sport;
	uint16_t dport;
	uint16_t len;
	uint16_t sum;
};

struct net_tcp {
	uint16_t sport;
	uint16_t dport;
	uint32_t seq;
	uint32_t ack;
	uint8_t off;
	uint8_t flags;
	uint16_t window;
	uint16_t sum;
	uint16_t urgent;
};

inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;

inline int NET_PROBE_OUTBOUND = 0;
inline int NET_PROBE_INBOUND = 1;

/* Captured packets of pcap() begin with these link types (www.tcpdump.org/linktypes.html). */
inline int PCAP_NULL = 0;
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105;
inline int PCAP_IPOIB = 242;

inline uint8_t IPPROTO_IP = 0;
inline uint8_t IPPROTO_HOPOPTS = 0;
inline uint8_t IPPROTO_ICMP = 1;
inline uint8_t IPPROTO_IGMP = 2;
inline uint8_t IPPROTO_GGP = 3;
inline uint8_t IPPROTO_IPIP = 4;
inline uint8_t IPPROTO_ENCAP = 4;
inline uint8_t IPPROTO_TCP = 6;
inline uint8_t IPPROTO_EGP = 8;
inline uint8_t IPPROTO_PUP = 12;
inline uint8_t IPPROTO_UDP = 17;
inline uint8_t IPPROTO_IDP = 22;
inline uint8_t IPPROTO_TP = 29;
inline uint8_t IPPROTO_DCCP = 33;
inline uint8_t IPPROTO_IPV6 = 41;
inline uint8_t IPPROTO_ROUTING = 43;
inline uint8_t IPPROTO_FRAGMENT = 44;
inline uint8_t IPPROTO_RSVP = 46;
inline uint8_t IPPROTO_GRE = 47;
inline uint8_t IPPROTO_ESP = 50;
inline uint8_t IPPROTO_AH = 51;
inline uint8_t IPPROTO_ICMPV6 = 58;
inline uint8_t IPPROTO_NONE = 59;
inline uint8_t IPPROTO_DSTOPTS = 60;
inline uint8_t IPPROTO_HELLO = 63;
inline uint8_t IPPROTO_ND = 77;
inline uint8_t IPPROTO_EON = 80;
inline uint8_t IPPROTO_OSPF = 89;
inline uint8_t IPPROTO_MTP = 92;
inline uint8_t IPPROTO_BEETPH = 94;
inline uint8_t IPPROTO_PIM = 103;
inline uint8_t IPPROTO_COMP = 108;
inline uint8_t IPPROTO_SCTP = 132;
inline uint8_t IPPROTO_MH = 135;
inline uint8_t IPPROTO_UDPLITE = 136;
inline uint8_t IPPROTO_RAW = 255;
inline int IPPROTO_MAX = 256;

/* ---- positions of headers ---- */

/* The IP header of an outgoing packet, or of an incoming packet in the IP layer. */
inline struct net_ip4 *net_hdr[struct sk_buff *skb] =
    (struct net_ip4 *)((uintptr_t)skb->head + skb->network_header);

/* The IP header of a packet that a device has just delivered. */
inline struct net_ip4 *net_hdr_in[struct sk_buff *skb] = (struct net_ip4 *)skb->data;

/* ETH_P_IP, ETH_P_IPV6 in network order. */
inline int net_is_ip[struct sk_buff *skb] = skb->protocol == 0x0008 || skb->protocol == 0xdd86;

inline int net_is_v4[struct net_ip4 *ip] = (ip->vihl >> 4) == 4;

/*
 * Has the packet this many bytes from ADDR on?  A program can send less than a header; what follows in memory
 * is of another packet.
 */
inline int net_has[struct sk_buff *skb, uintptr_t addr, int bytes] =
    (int)((uintptr_t)skb->data + skb->len - addr) >= bytes;

inline int net_has_ip[struct sk_buff *skb, uintptr_t addr] =
    net_has[skb, addr, skb->protocol == 0x0008 ? 20 : 40];

/*
 * Facts about the data after the IP header, in one number.  The low 8 bits are the protocol.  Bit 8
 * marks a fragment other than the first, which has no further headers.  Bits 16 on are the distance
 * from the IP header.  Extension headers of IPv6: hop-by-hop options 0, routing 43, fragment 44,
 * destination options 60.
 */
inline int net_is_ext[uint8_t next] = next == 0 || next == 43 || next == 44 || next == 60;

inline uint64_t net_behind[struct net_ip4 *ip] =
    net_is_v4[ip] ? ip->proto | ((ip->off & 0xff1f) != 0) << 8 | (ip->vihl & 15) << 18 :
    net_is_ext[((struct net_ip6 *)ip)->next] ? ip6_behind(ip) :
    ((struct net_ip6 *)ip)->next | 40 << 16;

inline uint8_t net_proto[struct net_ip4 *ip] = net_behind[ip] & 255;

/* Bytes of the IP header, extension headers included. */
inline uint32_t net_hlen[struct net_ip4 *ip] = net_behind[ip] >> 16;

/* Is it the whole datagram or its first fragment? */
inline int net_is_first[struct net_ip4 *ip] = (net_behind[ip] & 0x100) == 0;

inline uintptr_t net_l4[struct net_ip4 *ip] = (uintptr_t)ip + net_hlen[ip];

/*
 * A packet above 64 KB (BIG TCP) has length 0 in its header; then the length is the packet's.
 * Sites set the packet; NULL if it is unknown.
 */
this struct sk_buff *net_skb;

/* Bytes of the packet from ADDR on. */
inline uint32_t net_rest[uintptr_t addr] = this->net_skb == NULL ? 0 :
    (uint32_t)((uintptr_t)this->net_skb->data + this->net_skb->len - addr);

/* A 16-bit length in network order, for data that begins at ADDR. */
inline uint32_t net_length[uint16_t len, uintptr_t addr] =
    len != 0 ? ntohs(len) : net_rest[addr] > 65535 ? net_rest[addr] : 0;

/* Bytes that follow the IPv6 header.  The jumbo option that the kernel adds never goes over a
 * wire. */
inline uint32_t net_plen6[struct net_ip6 *ip] =
    ip->plen != 0 || net_rest[(uintptr_t)ip + 40] <= 65535 ? ntohs(ip->plen) :
    net_rest[(uintptr_t)ip + 40] - (ip->next == 0 ? 8 : 0);

/* ---- packets that pass several devices ---- */

/*
 * A device on top of others (bridge, VLAN, macvlan, bond) passes the packet on inside its own
 * transmission.  For each CPU the IP headers in transmission are kept, eight levels deep; a packet
 * with that header is the same packet.  Counting starts at BEGIN, when the programs for both ends
 * are attached.
 */
int net_depth[1024];
uintptr_t net_sending[8192];
int net_counts;

dtrace:::BEGIN
{
	net_counts = 1;
}

rawtp:::net_dev_start_xmit
/net_counts/
{
	net_depth[cpu] = net_depth[cpu] + 1;
	net_sending[(cpu << 3) + (net_depth[cpu] & 7)] =
	    (uintptr_t)args[0]->head + args[0]->network_header;
}

rawtp:::net_dev_xmit
/net_depth[cpu] > 0/
{
	net_depth[cpu] = net_depth[cpu] - 1;
}

/*
 * Traffic that is redirected to a device for shaping (ifb) is sent by that device, whatever its
 * direction.  Then it continues, sent or received, with a mark against another redirection.  A
 * packet that encapsulates a redirected one inherits the marks.
 */
inline int net_was_sent[struct sk_buff *skb] =
    ((skb->redirected || skb->tc_skip_classify) && !skb->encapsulation) || (net_depth[cpu] > 0 &&
    net_sending[(cpu << 3) + (net_depth[cpu] & 7)] == (uintptr_t)net_hdr[skb]);

inline int net_was_received[struct sk_buff *skb] = skb->tc_skip_classify ||
    (skb->redirected && skb->from_ingress && skb->skb_iif != 0);

/*
 * A frame for another host's address (PACKET_OTHERHOST 3) counts as received if a device on top has the
 * address, for example a macvlan.
 */
inline int net_is_for_host[struct sk_buff *skb] = skb->pkt_type != 3 ||
    dev_takes(skb->dev, (void *)((uintptr_t)skb->head + skb->mac_header));

/* ---- the packet being received ---- */

/*
 * The last packet that each CPU gave to a socket.  The state changes that it causes happen in the
 * same softirq, while it still exists.
 */
struct sk_buff *net_rx_skb[1024];
struct sock *net_rx_sk[1024];

cgroup:skb::ingress
{
	net_rx_skb[cpu] = args[0];
	net_rx_sk[cpu] = args[1];
}

/* ---- datagrams that tunnels receive ---- */

/*
 * Tunnels over UDP take datagrams before any socket hook runs.  The tunnel's device then receives the inner packet.
 * skb->transport_header still points to the outer UDP header, in front of the inner link header; Linux 6.12 clears it.
 * The tunnel's header follows the UDP header: none for bareudp, 8 bytes for vxlan, 8 bytes and the options for geneve
 * (RFC 8926).  The kernel keeps the length of the options in the packet's metadata.
 */
inline string net_kind[struct net_device *D] =
    D->rtnl_link_ops == NULL ? "" : stringof(D->rtnl_link_ops->kind);

inline uint32_t net_dst_options[uintptr_t dst] =
    dst == 0 ? 0 : ((struct metadata_dst *)dst)->u.tun_info.options_len;

inline uint32_t net_outer_off[struct sk_buff *skb] = skb->transport_header < skb->mac_header ?
    skb->transport_header : net_kind[skb->dev] == "bareudp" ? skb->mac_header - 8 :
    skb->mac_header - 16 - net_dst_options[skb->_skb_refdst & ~1UL];

inline struct net_udp *net_outer_udp[struct sk_buff *skb] =
    (struct net_udp *)((uintptr_t)skb->head + net_outer_off[skb]);

/* A packet that never left the machine has no outer datagram.  A real one ends where the packet
 * ends. */
inline int net_has_outer_udp[struct sk_buff *skb] = skb->transport_header < skb->mac_header ||
    (uintptr_t)net_outer_udp[skb] + ntohs(net_outer_udp[skb]->len) == (uintptr_t)skb->data + skb->len;

inline int net_is_tunneled[struct sk_buff *skb] = skb->dev->rtnl_link_ops != NULL &&
    (net_kind[skb->dev] == "vxlan" || net_kind[skb->dev] == "geneve" ||
    net_kind[skb->dev] == "bareudp") && net_has_outer_udp[skb] && cgroup_scope == 0;

/* The outer header has version 4 if the 20 bytes before UDP are a header with the right length. */
inline struct net_ip4 *net_outer4[struct net_udp *uh] = (struct net_ip4 *)((uintptr_t)uh - 20);

inline int net_has_outer4[struct net_udp *uh] = net_outer4[uh]->vihl == 0x45 &&
    net_outer4[uh]->proto == IPPROTO_UDP && ntohs(net_outer4[uh]->len) == ntohs(uh->len) + 20;

inline struct net_ip4 *net_outer[struct net_udp *uh] =
    net_has_outer4[uh] ? net_outer4[uh] : (struct net_ip4 *)((uintptr_t)uh - 40);

/* ---- owners of sockets ---- */

/*
 * The process that made a socket, connected it, listened on it, or last used it.  When an address
 * is used again, its entry is overwritten first, so nothing has to be removed.
 */
pid_t net_owner[uintptr_t];

cgroup:sock::create
{
	net_owner[(uintptr_t)args[0]] = pid;
}

/* TCP_SYN_SENT 2, TCP_LISTEN 10: in the context of the process. */
rawtp:::inet_sock_set_state
/args[2] == 2 || args[2] == 10/
{
	net_owner[(uintptr_t)args[0]] = pid;
}

/* TCP_SYN_RECV 3: a child inherits the owner of its listener, to which the packet was addressed. */
rawtp:::inet_sock_set_state
/args[2] == 3 && net_rx_skb[cpu] != NULL/
{
	net_owner[(uintptr_t)args[0]] = net_owner[(uintptr_t)net_rx_sk[cpu]];
}

/* The process that accepts a connection can differ from the listener; seen where functions can
 * be traced. */
fbt::inet_csk_accept:return
/arg1 != 0/
{
	net_owner[arg1] = pid;
}

/*
 * The first process that uses the socket, for example a forked worker.  sock_send_length fires
 * after the packets, and before 6.3 neither it nor sock_recv_length exists.  Functions that run
 * before the packets are traced where possible.
 */
inline int net_is_new_to[struct sock *sk, pid_t process] =
    (sk->__sk_common.skc_family == AF_INET || sk->__sk_common.skc_family == AF_INET6) &&
    net_owner[(uintptr_t)sk] != process;

rawtp:::sock_send_length, rawtp:::sock_recv_length, rawtp:::tcp_sendmsg_locked
/net_is_new_to[args[0], pid]/
{
	net_owner[(uintptr_t)args[0]] = pid;
}

fbt::security_socket_sendmsg:entry, fbt::security_socket_recvmsg:entry, fbt::inet_sendpage:entry
/net_is_new_to[args[0]->sk, pid]/
{
	net_owner[(uintptr_t)args[0]->sk] = pid;
}

/* Sockets that already exist. */
iter:::task_file
/args[2] != NULL && (args[2]->f_inode->i_mode & 0170000) == 0140000 &&
    net_owner[(uintptr_t)((struct socket *)args[2]->private_data)->sk] == 0/
{
	net_owner[(uintptr_t)((struct socket *)args[2]->private_data)->sk] = args[0]->tgid;
}

/* TCP_NEW_SYN_RECV 12: a connection request belongs to its listener. */
inline uintptr_t net_owned[struct sock *sk] =
    sk->__sk_common.skc_state == 12 ? (uintptr_t)sk->__sk_common.skc_listener : (uintptr_t)sk;

/*
 * Is it a socket with all its fields?  A connection request and a socket in TIME_WAIT (6) are
 * smaller.  Tunnels, raw and packet sockets, and the kernel's sockets for answers all send packets.
 */
inline int net_is_whole[struct sock *sk] = sk != NULL && sk->__sk_common.skc_state != 12 &&
    sk->__sk_common.skc_state != 6;

/* Is a whole socket one of the transport protocol itself?  SOCK_STREAM 1, SOCK_DGRAM 2; raw
 * sockets have protocols, too. */
inline int net_is_of[struct sock *sk, uint16_t type, uint16_t proto] =
    sk->sk_type == type && sk->sk_protocol == proto;

/* The same for any socket of a process: in other families protocol numbers have other meanings. */
inline int net_is_inet_of[struct sock *sk, uint16_t type, uint16_t proto] = net_is_of[sk, type, proto] &&
    (sk->__sk_common.skc_family == AF_INET || sk->__sk_common.skc_family == AF_INET6);

/*
 * Is the socket in that cgroup?  A connection request is in the cgroup of its listener; a
 * connection in TIME_WAIT (6) is in none.
 */
inline int net_in_scope[struct sock *sk] = cgroup_scope == 0 ||
    (sk != NULL && sk->__sk_common.skc_state != 6 &&
    cgroup_in_scope[((struct sock *)net_owned[sk])->sk_cgrp_data.cgroup]);

/* With option cgroup, for clauses at cgroup:skb:: and cgroup:sock::. */
inline int packet_in_scope = net_in_scope[(struct sock *)arg1];
inline int socket_in_scope = net_in_scope[(struct sock *)arg0];

/* ---- stable types ---- */

typedef struct pktinfo {
	uintptr_t pkt_addr; /* the struct sk_buff */
} pktinfo_t;

translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = (uintptr_t)S;
};

typedef struct csinfo {
	uintptr_t cs_addr;  /* the struct sock */
	uint64_t cs_cid;    /* number of the connection */
	pid_t cs_pid;       /* the owner of the socket, -1: unknown */
	zoneid_t cs_zoneid; /* the network namespace, 0: the machine's */
} csinfo_t;

inline uint32_t net_zone[struct net *n] = n->ns.inum == host_netns ? 0 :
    n->ns.inum - PROC_DYNAMIC_FIRST;

translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)(uintptr_t)S;
	cs_pid = S == NULL ? -1 : net_owner[net_owned[S]] == 0 ? -1 : net_owner[net_owned[S]];
	cs_zoneid = S == NULL ? 0 : net_zone[S->__sk_common.skc_net.net];
};

typedef struct ifinfo {
	string if_name;          /* its name; <null> */
	int8_t if_local;         /* 1: within this machine */
	netstackid_t if_ipstack; /* its network namespace */
	uintptr_t if_addr;       /* the struct net_device */
} ifinfo_t;

/* IFF_LOOPBACK is 8. */
translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D == NULL ? 0 : (D->flags & 8) != 0;
	if_ipstack = D == NULL ? 0 : D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

typedef struct conninfo {
	string ci_local;    /* local address */
	string ci_remote;   /* remote address */
	string ci_protocol; /* ipv4, ipv6 */
} conninfo_t;
