/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcp.d: the tcp provider.  States have the kernel's numbers (include/net/tcp_states.h).
 */
#pragma D depends_on library net.d
#pragma D depends_on library ip.d

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

inline int32_t TCP_STATE_IDLE = 0;
inline int32_t TCP_STATE_ESTABLISHED = 1;
inline int32_t TCP_STATE_SYN_SENT = 2;
inline int32_t TCP_STATE_SYN_RECEIVED = 3;
inline int32_t TCP_STATE_FIN_WAIT_1 = 4;
inline int32_t TCP_STATE_FIN_WAIT_2 = 5;
inline int32_t TCP_STATE_TIME_WAIT = 6;
inline int32_t TCP_STATE_CLOSED = 7;
inline int32_t TCP_STATE_CLOSE_WAIT = 8;
inline int32_t TCP_STATE_LAST_ACK = 9;
inline int32_t TCP_STATE_LISTEN = 10;
inline int32_t TCP_STATE_CLOSING = 11;
inline int32_t TCP_STATE_BOUND = 13;

inline int32_t TCPS_CLOSED = 7;
inline int32_t TCPS_LISTEN = 10;
inline int32_t TCPS_SYN_SENT = 2;
inline int32_t TCPS_SYN_RECEIVED = 3;
inline int32_t TCPS_ESTABLISHED = 1;
inline int32_t TCPS_CLOSE_WAIT = 8;
inline int32_t TCPS_FIN_WAIT_1 = 4;
inline int32_t TCPS_CLOSING = 11;
inline int32_t TCPS_LAST_ACK = 9;
inline int32_t TCPS_FIN_WAIT_2 = 5;
inline int32_t TCPS_TIME_WAIT = 6;

inline string tcp_state_string[int32_t state] =
    state == TCP_STATE_CLOSED ? "state-closed" :
    state == TCP_STATE_IDLE ? "state-idle" :
    state == TCP_STATE_BOUND ? "state-bound" :
    state == TCP_STATE_LISTEN ? "state-listen" :
    state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
    state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
    state == TCP_STATE_ESTABLISHED ? "state-established" :
    state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
    state == TCP_STATE_CLOSING ? "state-closing" :
    state == TCP_STATE_LAST_ACK ? "state-last-ack" :
    state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
    "<unknown>";

/* ---- header ---- */

typedef struct tcpinfo {
	uint16_t tcp_sport;    /* port of the sender */
	uint16_t tcp_dport;    /* port of the receiver */
	uint32_t tcp_seq;      /* number of the first byte */
	uint32_t tcp_ack;      /* number of the next expected byte */
	uint8_t tcp_offset;    /* bytes of the header */
	uint8_t tcp_flags;     /* TH_SYN, TH_ACK and so on */
	uint16_t tcp_window;   /* window, not scaled */
	uint16_t tcp_checksum; /* of header and data */
	uint16_t tcp_urgent;   /* urgent pointer */
	uintptr_t tcp_hdr;     /* the header itself */
} tcpinfo_t;

translator tcpinfo_t < struct net_tcp *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->sport);
	tcp_dport = T == NULL ? 0 : ntohs(T->dport);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack);
	tcp_offset = T == NULL ? 0 : (T->off >> 4) << 2;
	tcp_flags = T == NULL ? 0 : T->flags;
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->sum);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urgent);
	tcp_hdr = (uintptr_t)T;
};

/* ---- connection ---- */

typedef struct tcpsinfo {
	uintptr_t tcps_addr;         /* the struct sock */
	int tcps_local;              /* both ends have one address; -1: unknown */
	int tcps_active;             /* -1: unknown */
	uint16_t tcps_lport;         /* local port */
	uint16_t tcps_rport;         /* remote port */
	string tcps_laddr;           /* local address */
	string tcps_raddr;           /* remote address */
	int32_t tcps_state;          /* TCP_STATE_LISTEN and so on */
	uint32_t tcps_iss;           /* first number sent */
	uint32_t tcps_irs;           /* first number received */
	uint32_t tcps_suna;          /* first number not acknowledged */
	uint32_t tcps_smax;          /* as tcps_snxt */
	uint32_t tcps_snxt;          /* next number to send */
	uint32_t tcps_rack;          /* last number acknowledged from here */
	uint32_t tcps_rnxt;          /* next expected number */
	uint32_t tcps_swnd;          /* window of the other side, bytes */
	int32_t tcps_snd_ws;         /* its scale, a shift */
	uint32_t tcps_swl1;          /* number of the segment that announced the window */
	uint32_t tcps_swl2;          /* 0 */
	uint32_t tcps_rup;           /* 0 */
	uint32_t tcps_radv;          /* number up to which the window extends */
	uint32_t tcps_rwnd;          /* window of this side, bytes */
	int32_t tcps_rcv_ws;         /* its scale, a shift */
	uint32_t tcps_cwnd;          /* congestion window, bytes */
	uint32_t tcps_cwnd_ssthresh; /* its threshold, bytes */
	uint32_t tcps_srecover;      /* number at which recovery ends */
	uint32_t tcps_sack_fack;     /* 0 */
	uint32_t tcps_sack_snxt;     /* 0 */
	uint32_t tcps_rto;           /* time until a retransmission, ms */
	uint32_t tcps_mss;           /* bytes of a segment */
	int tcps_retransmit;         /* data are being retransmitted */
	int tcps_srtt;               /* smoothed round-trip time, 1/8 us */
	uint32_t tcps_rtt;           /* smoothed round-trip time, ms */
	uint32_t tcps_rtt_sd;        /* its deviation, ms */
	int tcps_debug;              /* option SO_DEBUG */
	int32_t tcps_dupacks;        /* segments acknowledged out of order */
	uint32_t tcps_rtttime;       /* 0 */
	uint32_t tcps_rtseq;         /* 0 */
	uint32_t tcps_ts_recent;     /* last time stamp of the other side */
} tcpsinfo_t;

/* Is it a socket of a connection, with all its fields? */
inline int tcp_is_full[struct sock *sk] = net_is_whole[sk] && net_is_of[sk, 1, IPPROTO_TCP];

/* Is it any socket of a connection?  Other sockets can also send a segment. */
inline int tcp_has[struct sock *sk] = sk != NULL &&
    (!net_is_whole[sk] || net_is_of[sk, 1, IPPROTO_TCP]);

inline struct tcp_sock *tcp_sk[struct sock *sk] = (struct tcp_sock *)sk;
inline struct inet_sock *tcp_inet[struct sock *sk] = (struct inet_sock *)sk;
inline struct inet_connection_sock *tcp_icsk[struct sock *sk] = (struct inet_connection_sock *)sk;

/* skc_num is 0 once a socket is closed; inet_sport stays. */
inline uint16_t tcp_lport[struct sock *sk] =
    sk->__sk_common.skc_num != 0 ? sk->__sk_common.skc_num :
    tcp_is_full[sk] ? ntohs(tcp_inet[sk]->inet_sport) : 0;

inline string tcp_laddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_rcv_saddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_rcv_saddr);

inline string tcp_raddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_daddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_daddr);

/*
 * The new state of a socket that is about to change, which the socket does not have yet.  Sites set
 * it; elsewhere it is 0, which is no state.
 */
this int32_t tcp_new;

/* Windows in bytes; Linux counts segments.  Without a threshold, the value is the largest
 * window. */
inline uint32_t tcp_cwnd[struct sock *sk] = tcp_sk[sk]->snd_cwnd * tcp_sk[sk]->mss_cache;

inline uint32_t tcp_ssthresh[struct sock *sk] = tcp_sk[sk]->snd_ssthresh >= 0x7fffffff ?
    65535 << 14 : tcp_sk[sk]->snd_ssthresh * tcp_sk[sk]->mss_cache;

inline struct tcp_request_sock *tcp_req[struct sock *sk] = (struct tcp_request_sock *)sk;

inline int tcp_is_request[struct sock *sk] = sk != NULL && sk->__sk_common.skc_state == 12;

inline struct tcp_timewait_sock *tcp_tw[struct sock *sk] = (struct tcp_timewait_sock *)sk;

inline int tcp_is_wait[struct sock *sk] =
    sk != NULL && sk->__sk_common.skc_state == TCP_STATE_TIME_WAIT;

/* Until both sides have offered a scale, a socket keeps its own offer, which is not in force. */
inline int tcp_is_offer[struct sock *sk] = tcp_sk[sk]->rx_opt.wscale_ok == 0 &&
    (sk->__sk_common.skc_state == TCP_STATE_SYN_SENT || sk->__sk_common.skc_state == TCP_STATE_CLOSED);

inline int32_t tcp_snd_ws[struct sock *sk] =
    tcp_is_offer[sk] ? 0 : tcp_sk[sk]->rx_opt.snd_wscale;

inline int32_t tcp_rcv_ws[struct sock *sk] =
    tcp_is_offer[sk] ? 0 : tcp_sk[sk]->rx_opt.rcv_wscale;

/* Number of the answer to a SYN.  The request does not know if the answer was sent. */
inline uint32_t tcp_next[struct sock *sk] = tcp_is_full[sk] ? tcp_sk[sk]->snd_nxt :
    tcp_is_request[sk] ? tcp_req[sk]->snt_isn :
    tcp_is_wait[sk] ? tcp_tw[sk]->tw_sk.__tw_common.skc_tw_snd_nxt : 0;

inline uint32_t tcp_expected[struct sock *sk] = tcp_is_full[sk] ? tcp_sk[sk]->rcv_nxt :
    tcp_is_request[sk] ? tcp_req[sk]->rcv_nxt :
    tcp_is_wait[sk] ? tcp_tw[sk]->tw_sk.__tw_common.skc_tw_rcv_nxt : 0;

inline uint32_t tcp_acked[struct sock *sk] =
    tcp_is_full[sk] ? tcp_sk[sk]->rcv_wup : tcp_expected[sk];

inline uint32_t tcp_rwnd[struct sock *sk] = tcp_is_full[sk] ? tcp_sk[sk]->rcv_wnd :
    tcp_is_request[sk] ? tcp_req[sk]->req.req.__req_common.skc_rcv_wnd :
    tcp_is_wait[sk] ? tcp_tw[sk]->tw_rcv_wnd : 0;

/*
 * An accepted socket keeps the device of the handshake in the member that other sockets use for
 * multicast, and TCP has no multicast.
 */
inline int tcp_is_accepted[struct sock *sk] = tcp_inet[sk]->mc_index != 0 ||
    (sk->__sk_common.skc_family == AF_INET6 && tcp_inet[sk]->pinet6->mcast_oif != 0);

/*
 * Linux does not keep initial sequence numbers, but how far the two sides have come since.  If this
 * side opened the connection, the acknowledgement of the SYN counts, too.  When the SYN is about to
 * be sent, its number is the next one.
 */
inline uint32_t tcp_iss[struct sock *sk] = this->tcp_new == TCP_STATE_SYN_SENT ?
    tcp_sk[sk]->write_seq :
    tcp_sk[sk]->snd_una - tcp_sk[sk]->bytes_acked - tcp_is_accepted[sk];

inline uint32_t tcp_irs[struct sock *sk] = tcp_sk[sk]->rcv_nxt == 0 ? 0 :
    tcp_sk[sk]->rcv_nxt - tcp_sk[sk]->bytes_received - 1;

/* Milliseconds in this many jiffies. */
inline uint32_t tcp_ms[uint64_t jiffies] = jiffies * jiffy_ns / 1000000;

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = tcp_has[S] ? (uintptr_t)S : 0;
	tcps_local = !tcp_has[S] ? 0 :
	    S->__sk_common.skc_family == AF_INET ?
	    S->__sk_common.skc_daddr == S->__sk_common.skc_rcv_saddr : -1;
	tcps_active = -1;
	tcps_lport = !tcp_has[S] ? 0 : tcp_lport[S];
	tcps_rport = !tcp_has[S] ? 0 : ntohs(S->__sk_common.skc_dport);
	tcps_laddr = !tcp_has[S] ? "<unknown>" : tcp_laddr[S];
	tcps_raddr = !tcp_has[S] ? "<unknown>" : tcp_raddr[S];
	tcps_state = this->tcp_new != 0 ? this->tcp_new : !tcp_has[S] ? TCP_STATE_CLOSED :
	    S->__sk_common.skc_state == 12 ? TCP_STATE_SYN_RECEIVED : S->__sk_common.skc_state;
	tcps_iss = tcp_is_full[S] ? tcp_iss[S] : tcp_is_request[S] ? tcp_req[S]->snt_isn : 0;
	tcps_irs = tcp_is_full[S] ? tcp_irs[S] : tcp_is_request[S] ? tcp_req[S]->rcv_isn : 0;
	tcps_suna = tcp_is_full[S] ? tcp_sk[S]->snd_una : tcp_next[S];
	tcps_smax = tcp_next[S];
	tcps_snxt = tcp_next[S];
	tcps_rack = tcp_acked[S];
	tcps_rnxt = tcp_expected[S];
	tcps_swnd = tcp_is_full[S] ? tcp_sk[S]->snd_wnd : 0;
	tcps_snd_ws = tcp_is_full[S] ? tcp_snd_ws[S] :
	    !tcp_is_request[S] ? -1 : tcp_req[S]->req.wscale_ok ? tcp_req[S]->req.snd_wscale : 0;
	tcps_swl1 = tcp_is_full[S] ? tcp_sk[S]->snd_wl1 : 0;
	tcps_swl2 = 0;
	tcps_rup = 0;
	tcps_radv = tcp_acked[S] + tcp_rwnd[S];
	tcps_rwnd = tcp_rwnd[S];
	tcps_rcv_ws = tcp_is_full[S] ? tcp_rcv_ws[S] :
	    tcp_is_wait[S] ? tcp_tw[S]->tw_sk.tw_rcv_wscale :
	    !tcp_is_request[S] ? -1 : tcp_req[S]->req.wscale_ok ? tcp_req[S]->req.rcv_wscale : 0;
	tcps_cwnd = tcp_is_full[S] ? tcp_cwnd[S] : 0;
	tcps_cwnd_ssthresh = tcp_is_full[S] ? tcp_ssthresh[S] : 0;
	tcps_srecover = tcp_is_full[S] ? tcp_sk[S]->high_seq : 0;
	tcps_sack_fack = 0;
	tcps_sack_snxt = 0;
	tcps_rto = tcp_is_full[S] ? tcp_ms[tcp_icsk[S]->icsk_rto] : 0;
	tcps_mss = tcp_is_full[S] ? tcp_sk[S]->mss_cache :
	    tcp_is_request[S] ? tcp_req[S]->req.req.mss : 0;
	tcps_retransmit = tcp_is_full[S] ? tcp_icsk[S]->icsk_retransmits != 0 : 0;
	tcps_srtt = tcp_is_full[S] ? tcp_sk[S]->srtt_us : 0;
	tcps_rtt = tcp_is_full[S] ? (tcp_sk[S]->srtt_us >> 3) / 1000 : 0;
	tcps_rtt_sd = tcp_is_full[S] ? (tcp_sk[S]->mdev_us >> 2) / 1000 : 0;
	tcps_debug = tcp_is_full[S] ? S->__sk_common.skc_flags >> SOCK_DBG & 1 : 0;
	tcps_dupacks = tcp_is_full[S] ? tcp_sk[S]->sacked_out : 0;
	tcps_rtttime = 0;
	tcps_rtseq = 0;
	tcps_ts_recent = tcp_is_full[S] ? tcp_sk[S]->rx_opt.ts_recent :
	    tcp_is_request[S] ? tcp_req[S]->req.req.ts_recent :
	    tcp_is_wait[S] ? tcp_tw[S]->tw_ts_recent : 0;
};

typedef struct tcplsinfo {
	int32_t tcps_state; /* the state before */
} tcplsinfo_t;

translator tcplsinfo_t < int I > {
	tcps_state = I;
};

/* ---- siftr, a log of each segment; the sites set the direction in this->tcp_dir ---- */

inline uint8_t SIFTR_IN = 0;
inline uint8_t SIFTR_OUT = 1;

inline string siftr_dir_string[uint8_t dir] =
    dir == SIFTR_IN ? "in" : dir == SIFTR_OUT ? "out" : "unknown";

this uint8_t tcp_dir;

typedef struct siftrinfo {
	uint8_t direction;                /* SIFTR_IN or SIFTR_OUT */
	uint8_t ipver;                    /* 4 or 6 */
	uint32_t hash;                    /* of the connection */
	uint16_t tcp_localport;           /* local port */
	uint16_t tcp_foreignport;         /* remote port */
	uint64_t snd_cwnd;                /* congestion window, bytes */
	u_longlong_t snd_wnd;             /* window of the other side, bytes */
	u_longlong_t rcv_wnd;             /* window of this side, bytes */
	u_longlong_t snd_bwnd;            /* 0 */
	u_longlong_t snd_ssthresh;        /* threshold of the congestion window, bytes */
	int conn_state;                   /* TCP_STATE_ESTABLISHED and so on */
	unsigned int max_seg_size;        /* bytes of a segment */
	int smoothed_rtt;                 /* smoothed round-trip time, us */
	unsigned char sack_enabled;       /* selective acknowledgements */
	unsigned char snd_scale;          /* scale of snd_wnd */
	unsigned char rcv_scale;          /* scale of rcv_wnd */
	unsigned int flags;               /* 0 */
	int rxt_length;                   /* time until a retransmission, jiffies */
	unsigned int snd_buf_hiwater;     /* room for data to send, bytes */
	unsigned int snd_buf_cc;          /* bytes there */
	unsigned int rcv_buf_hiwater;     /* room for received data, bytes */
	unsigned int rcv_buf_cc;          /* bytes there */
	unsigned int sent_inflight_bytes; /* bytes not acknowledged */
	int t_segqlen;                    /* segments not acknowledged */
	unsigned int flowid;              /* hash of the flow */
	unsigned int flowtype;            /* 0 */
} siftrinfo_t;

translator siftrinfo_t < struct sock *S > {
	direction = this->tcp_dir;
	ipver = S->__sk_common.skc_family == AF_INET6 ? 6 : 4;
	hash = S->__sk_common.skc_hash;
	tcp_localport = tcp_lport[S];
	tcp_foreignport = ntohs(S->__sk_common.skc_dport);
	snd_cwnd = tcp_cwnd[S];
	snd_wnd = tcp_sk[S]->snd_wnd;
	rcv_wnd = tcp_sk[S]->rcv_wnd;
	snd_bwnd = 0;
	snd_ssthresh = tcp_ssthresh[S];
	conn_state = S->__sk_common.skc_state;
	max_seg_size = tcp_sk[S]->mss_cache;
	smoothed_rtt = tcp_sk[S]->srtt_us >> 3;
	sack_enabled = tcp_sk[S]->rx_opt.sack_ok;
	snd_scale = tcp_sk[S]->rx_opt.snd_wscale;
	rcv_scale = tcp_sk[S]->rx_opt.rcv_wscale;
	flags = 0;
	rxt_length = tcp_icsk[S]->icsk_rto;
	snd_buf_hiwater = S->sk_sndbuf;
	snd_buf_cc = S->sk_wmem_queued;
	rcv_buf_hiwater = S->sk_rcvbuf;
	rcv_buf_cc = S->sk_backlog.rmem_alloc.counter;
	sent_inflight_bytes = tcp_sk[S]->snd_nxt - tcp_sk[S]->snd_una;
	t_segqlen = tcp_sk[S]->packets_out;
	flowid = S->sk_txhash;
	flowtype = 0;
};

/* ---- probes ---- */

provider tcp {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe connect__request(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe connect__established(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe connect__refused(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe accept__established(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe accept__refused(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th);
	probe state__change(struct sk_buff *skb, struct sock *sk, int old) :
	    (pktinfo_t *skb, csinfo_t *sk, pktinfo_t *skb, tcpsinfo_t *sk, pktinfo_t *skb,
	    tcplsinfo_t *old);
	probe debug__input(struct sock *sk, struct net_tcp *th, struct net_ip4 *ip) :
	    (tcpsinfo_t *sk, tcpinfo_t *th, ipinfo_t *ip);
	probe debug__output(struct sock *sk, struct net_tcp *th, struct net_ip4 *ip) :
	    (tcpsinfo_t *sk, tcpinfo_t *th, ipinfo_t *ip);
	probe debug__drop(struct sock *sk, struct net_tcp *th, struct net_ip4 *ip) :
	    (tcpsinfo_t *sk, tcpinfo_t *th, ipinfo_t *ip);
	probe debug__user(struct sock *sk, int req) : (tcpsinfo_t *sk, int req);
	probe siftr(struct sock *sk) : (siftrinfo_t *sk);
	probe receive__autoresize(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip,
	    struct net_tcp *th, int size) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, tcpsinfo_t *sk, tcpinfo_t *th, int size);
};

inline struct net_tcp *tcp_hdr_of[struct net_ip4 *ip] = (struct net_tcp *)net_l4[ip];

inline int tcp_is_seg[struct net_ip4 *ip] = net_proto[ip] == IPPROTO_TCP && net_is_first[ip];

inline int tcp_is_syn[struct net_ip4 *ip] =
    (tcp_hdr_of[ip]->flags & (TH_SYN | TH_ACK)) == TH_SYN;

inline int tcp_is_sent[struct sk_buff *skb] = net_is_ip[skb] && !net_was_sent[skb] &&
    skb->skb_iif == 0 && tcp_is_seg[net_hdr[skb]] && net_in_scope[skb->sk] &&
    net_has[skb, net_l4[net_hdr[skb]], 20];

site tcp:::send from rawtp:::net_dev_queue
/tcp_is_sent[args[0]]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], tcp_hdr_of[net_hdr[args[0]]]);
}

/*
 * Segments for sockets; the last packet of a handshake comes with the listener.  If two CPUs each
 * bring a packet for the same connection request, the loser looks its socket up again (req_stolen
 * in tcp_v4_rcv).  Its packet then comes a second time, with the connection.  It is the same
 * segment if packet and headers are equal, and this CPU has not established the connection since:
 * the network can double the packet, and the copy can have the same address.
 */
struct sk_buff *tcp_asked[1024];
uint32_t tcp_asked_ip[1024], tcp_asked_seq[1024], tcp_asked_ack[1024], tcp_asked_flags[1024];

inline uint32_t tcp_ip_word[struct net_ip4 *ip] = ip->len << 16 | ip->id;

cgroup:skb::ingress
/args[1]->__sk_common.skc_state == TCP_STATE_LISTEN && args[1]->sk_protocol == IPPROTO_TCP/
{
	tcp_asked[cpu] = args[0];
	tcp_asked_ip[cpu] = tcp_ip_word[net_hdr[args[0]]];
	tcp_asked_seq[cpu] = tcp_hdr_of[net_hdr[args[0]]]->seq;
	tcp_asked_ack[cpu] = tcp_hdr_of[net_hdr[args[0]]]->ack;
	tcp_asked_flags[cpu] = tcp_hdr_of[net_hdr[args[0]]]->flags;
}

rawtp:::inet_sock_set_state
/args[1] == TCP_STATE_SYN_RECEIVED && args[2] == TCP_STATE_ESTABLISHED/
{
	tcp_asked[cpu] = NULL;
}

inline int tcp_is_again[struct sk_buff *skb, struct sock *sk] = tcp_asked[cpu] == skb &&
    sk->__sk_common.skc_state != TCP_STATE_LISTEN &&
    tcp_asked_ip[cpu] == tcp_ip_word[net_hdr[skb]] &&
    tcp_asked_seq[cpu] == tcp_hdr_of[net_hdr[skb]]->seq &&
    tcp_asked_ack[cpu] == tcp_hdr_of[net_hdr[skb]]->ack &&
    tcp_asked_flags[cpu] == tcp_hdr_of[net_hdr[skb]]->flags;

inline int tcp_is_received[struct sk_buff *skb, struct sock *sk] =
    net_is_of[sk, 1, IPPROTO_TCP] && net_in_scope[sk] && !tcp_is_again[skb, sk];

site tcp:::receive from cgroup:skb::ingress
/tcp_is_received[args[0], args[1]]/
{
	this->net_skb = args[0];
	return (args[0], args[1], net_hdr[args[0]], tcp_hdr_of[net_hdr[args[0]]]);
}

/*
 * Segments without a socket are answered by a reset.  The tracepoint covers them since 6.10;
 * before, the functions do.
 */
inline int tcp_is_stray[struct sock *sk, struct sk_buff *skb] =
    sk == NULL && skb != NULL && cgroup_scope == 0;

site tcp:::receive from fbt::tcp_v4_send_reset:entry
/tcp_is_stray[args[0], args[1]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}
else from rawtp:::tcp_send_reset
/tcp_is_stray[args[0], args[1]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}

site tcp:::receive from fbt::tcp_v6_send_reset:entry
/tcp_is_stray[args[0], args[1]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}

/*
 * Segments for connections in TIME_WAIT are consumed without a socket's receive path.  kfree_skb
 * names the socket since 6.11.  Before, the function that consumes them is traced, except for SYNs
 * that open the next connection, which go on to the listener.
 */
site tcp:::receive from rawtp:::kfree_skb
/net_is_ip[args[0]] && args[0]->skb_iif != 0 && args[3] != NULL &&
    args[3]->__sk_common.skc_state == TCP_STATE_TIME_WAIT && cgroup_scope == 0 &&
    tcp_is_seg[net_hdr[args[0]]]/
{
	this->net_skb = args[0];
	return (args[0], args[3], net_hdr[args[0]], tcp_hdr_of[net_hdr[args[0]]]);
}
else from fbt::tcp_timewait_state_process:entry
/cgroup_scope == 0 && (tcp_hdr_of[net_hdr[args[1]]]->flags & TH_SYN) == 0/
{
	this->net_skb = args[1];
	return (args[1], (struct sock *)args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}

/* A first SYN; retransmissions only fire send. */
site tcp:::connect-request from rawtp:::net_dev_queue
/tcp_is_full[args[0]->sk] && args[0]->sk->__sk_common.skc_state == TCP_STATE_SYN_SENT &&
    tcp_is_sent[args[0]] && tcp_is_syn[net_hdr[args[0]]] &&
    tcp_icsk[args[0]->sk]->icsk_retransmits == 0/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], tcp_hdr_of[net_hdr[args[0]]]);
}

/*
 * The headers of the packet being received, if it is for the two ports of the socket, otherwise
 * NULL.  Each of these sites finds them once.
 */
this struct net_ip4 *tcp_ip;
this struct net_tcp *tcp_th;

inline struct net_ip4 *tcp_rx_ip = net_rx_skb[cpu] == NULL ? NULL : net_hdr[net_rx_skb[cpu]];

inline int tcp_rx_is_for[struct sock *sk] = this->tcp_ip != NULL &&
    this->tcp_th->sport == sk->__sk_common.skc_dport && ntohs(this->tcp_th->dport) == tcp_lport[sk];

/* Both sides connect if their SYNs cross. */
inline int tcp_has_connected[struct sock *sk, int old] =
    old == TCP_STATE_SYN_RECEIVED && !tcp_is_accepted[sk];

site tcp:::connect-established from rawtp:::inet_sock_set_state
/args[0]->sk_protocol == IPPROTO_TCP && args[2] == TCP_STATE_ESTABLISHED &&
    (args[1] == TCP_STATE_SYN_SENT || tcp_has_connected[args[0], args[1]]) && net_in_scope[args[0]]/
{
	this->tcp_new = args[2];
	this->tcp_ip = tcp_rx_ip;
	this->tcp_th = this->tcp_ip == NULL ? NULL : tcp_hdr_of[this->tcp_ip];
	this->tcp_ip = tcp_rx_is_for[args[0]] ? this->tcp_ip : NULL;
	this->tcp_th = this->tcp_ip == NULL ? NULL : this->tcp_th;
	this->net_skb = net_rx_skb[cpu];
	return (net_rx_skb[cpu], args[0], this->tcp_ip, this->tcp_th);
}

site tcp:::accept-established from rawtp:::inet_sock_set_state
/args[0]->sk_protocol == IPPROTO_TCP && args[1] == TCP_STATE_SYN_RECEIVED &&
    args[2] == TCP_STATE_ESTABLISHED && tcp_is_accepted[args[0]] && net_in_scope[args[0]]/
{
	this->tcp_new = args[2];
	this->tcp_ip = tcp_rx_ip;
	this->tcp_th = this->tcp_ip == NULL ? NULL : tcp_hdr_of[this->tcp_ip];
	this->tcp_ip = tcp_rx_is_for[args[0]] ? this->tcp_ip : NULL;
	this->tcp_th = this->tcp_ip == NULL ? NULL : this->tcp_th;
	this->net_skb = net_rx_skb[cpu];
	return (net_rx_skb[cpu], args[0], this->tcp_ip, this->tcp_th);
}

site tcp:::connect-refused from rawtp:::tcp_receive_reset
/args[0]->__sk_common.skc_state == TCP_STATE_SYN_SENT && net_in_scope[args[0]]/
{
	this->tcp_ip = tcp_rx_ip;
	this->tcp_th = this->tcp_ip == NULL ? NULL : tcp_hdr_of[this->tcp_ip];
	this->tcp_ip = tcp_rx_is_for[args[0]] ? this->tcp_ip : NULL;
	this->tcp_th = this->tcp_ip == NULL ? NULL : this->tcp_th;
	this->net_skb = net_rx_skb[cpu];
	return (net_rx_skb[cpu], args[0], this->tcp_ip, this->tcp_th);
}

site tcp:::accept-refused from fbt::tcp_v4_send_reset:entry
/tcp_is_stray[args[0], args[1]] && tcp_is_syn[net_hdr[args[1]]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}
else from rawtp:::tcp_send_reset
/tcp_is_stray[args[0], args[1]] && tcp_is_syn[net_hdr[args[1]]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}

site tcp:::accept-refused from fbt::tcp_v6_send_reset:entry
/tcp_is_stray[args[0], args[1]] && tcp_is_syn[net_hdr[args[1]]]/
{
	this->net_skb = args[1];
	return (args[1], args[0], net_hdr[args[1]], tcp_hdr_of[net_hdr[args[1]]]);
}

/*
 * A connecting socket is in SYN_SENT before it has a local port, so this change fires when the SYN
 * is about to be made.  Without a SYN it fires before the next change.  There is none if all ports
 * are taken, or if a SYN with data waits for the data until the socket is closed.
 */
int tcp_is_portless[uintptr_t];

rawtp:::inet_sock_set_state
/args[2] == TCP_STATE_SYN_SENT && args[0]->sk_protocol == IPPROTO_TCP/
{
	tcp_is_portless[(uintptr_t)args[0]] = 1;
}

site tcp:::state-change from cgroup:sock::connect
/net_in_scope[args[0]]/
{
	tcp_is_portless[(uintptr_t)args[0]] = 0;
	this->tcp_new = TCP_STATE_SYN_SENT;
	return ((struct sk_buff *)NULL, args[0], TCP_STATE_CLOSED);
}

site tcp:::state-change from rawtp:::inet_sock_set_state
/args[1] == TCP_STATE_SYN_SENT && tcp_is_portless[(uintptr_t)args[0]] && net_in_scope[args[0]]/
{
	tcp_is_portless[(uintptr_t)args[0]] = 0;
	this->tcp_new = TCP_STATE_SYN_SENT;
	return ((struct sk_buff *)NULL, args[0], TCP_STATE_CLOSED);
}

/*
 * The kernel does not report the change to TIME_WAIT.  A socket that closes from FIN_WAIT_2 or
 * CLOSING and is done (SOCK_DONE, bit 1 of its flags) lives on in TIME_WAIT.
 *
 * A closed socket that still waits for the FIN of the other side is replaced, too, and remains in FIN_WAIT_2
 * until the FIN comes (tcp_time_wait()).  After an error it is closed, as it is with a negative TCP_LINGER2.
 * The ends of such connections are kept by the hash of their addresses.
 */
uint32_t tcp_half[4096];

inline int tcp_is_half[struct sock *sk, int old, int new] = new == TCP_STATE_CLOSED &&
    old == TCP_STATE_FIN_WAIT_2 && (sk->__sk_common.skc_flags & 2) == 0 && sk->sk_err == 0 &&
    tcp_sk[sk]->linger2 >= 0;

inline uint32_t tcp_ends[struct sock *sk] = sk->__sk_common.skc_dport << 16 | tcp_lport[sk];

rawtp:::inet_sock_set_state
/args[0]->sk_protocol == IPPROTO_TCP && tcp_is_half[args[0], args[1], args[2]]/
{
	tcp_half[args[0]->__sk_common.skc_hash & 4095] = tcp_ends[args[0]];
}

site tcp:::state-change from rawtp:::inet_sock_set_state
/args[2] != TCP_STATE_SYN_SENT && args[1] != args[2] && args[0]->sk_protocol == IPPROTO_TCP &&
    !tcp_is_half[args[0], args[1], args[2]] && net_in_scope[args[0]]/
{
	this->tcp_new = args[2] == TCP_STATE_CLOSED &&
	    (args[1] == TCP_STATE_FIN_WAIT_2 || args[1] == TCP_STATE_CLOSING) &&
	    (args[0]->__sk_common.skc_flags & 2) != 0 ? TCP_STATE_TIME_WAIT : args[2];
	return ((struct sk_buff *)NULL, args[0], args[1]);
}

/*
 * The FIN ends the wait, but a reset or new data end the connection (tcp_timewait_state_process()).  These
 * are the bytes of data in a segment, and the state after it; 0: no change.
 */
inline int tcp_data[struct sk_buff *skb, struct net_tcp *th] =
    (int)((uintptr_t)skb->data + skb->len - (uintptr_t)th) - ((th->off >> 4) << 2);

inline int32_t tcp_ends_wait[struct sk_buff *skb, struct net_tcp *th] = (th->flags & TH_SYN) != 0 ? 0 :
    (th->flags & TH_RST) != 0 || tcp_data[skb, th] > 0 ? TCP_STATE_CLOSED :
    (th->flags & TH_FIN) != 0 ? TCP_STATE_TIME_WAIT : 0;

site tcp:::state-change from fbt::tcp_timewait_state_process:entry
/cgroup_scope == 0 && args[0]->tw_substate == TCP_STATE_FIN_WAIT_2 &&
    tcp_ends_wait[args[1], tcp_hdr_of[net_hdr[args[1]]]] != 0/
{
	this->tcp_new = tcp_ends_wait[args[1], tcp_hdr_of[net_hdr[args[1]]]];
	return ((struct sk_buff *)NULL, (struct sock *)args[0], TCP_STATE_FIN_WAIT_2);
}
else from rawtp:::kfree_skb
/args[3] != NULL && args[3]->__sk_common.skc_state == TCP_STATE_TIME_WAIT && cgroup_scope == 0 &&
    net_is_ip[args[0]] && tcp_is_seg[net_hdr[args[0]]] &&
    tcp_half[args[3]->__sk_common.skc_hash & 4095] == tcp_ends[args[3]] &&
    tcp_ends_wait[args[0], tcp_hdr_of[net_hdr[args[0]]]] != 0/
{
	tcp_half[args[3]->__sk_common.skc_hash & 4095] = 0;
	this->tcp_new = tcp_ends_wait[args[0], tcp_hdr_of[net_hdr[args[0]]]];
	return ((struct sk_buff *)NULL, args[3], TCP_STATE_FIN_WAIT_2);
}

/* The segment that acknowledges the FIN can bring data, which end the connection at once. */
site tcp:::state-change from rawtp:::kfree_skb
/args[3] != NULL && args[3]->__sk_common.skc_state == TCP_STATE_CLOSED && cgroup_scope == 0 &&
    args[3]->sk_protocol == IPPROTO_TCP &&
    tcp_half[args[3]->__sk_common.skc_hash & 4095] == tcp_ends[args[3]] &&
    net_is_ip[args[0]] && tcp_is_seg[net_hdr[args[0]]] &&
    tcp_data[args[0], tcp_hdr_of[net_hdr[args[0]]]] > 0/
{
	tcp_half[args[3]->__sk_common.skc_hash & 4095] = 0;
	this->tcp_new = TCP_STATE_CLOSED;
	return ((struct sk_buff *)NULL, args[3], TCP_STATE_FIN_WAIT_2);
}

site tcp:::receive-autoresize from rawtp:::tcp_rcvbuf_grow
/net_in_scope[args[0]]/
{
	return ((struct sk_buff *)NULL, args[0], (struct net_ip4 *)NULL, (struct net_tcp *)NULL,
	    args[0]->sk_rcvbuf);
}

/* ---- debugging probes: the same segments, with the connection first ---- */

inline int TA_INPUT = 0;
inline int TA_OUTPUT = 1;
inline int TA_USER = 2;
inline int TA_RESPOND = 3;
inline int TA_DROP = 4;

inline int PRU_RCVD = 8;
inline int PRU_SEND = 9;

site tcp:::debug-input from cgroup:skb::ingress
/tcp_is_received[args[0], args[1]]/
{
	this->net_skb = args[0];
	return (args[1], tcp_hdr_of[net_hdr[args[0]]], net_hdr[args[0]]);
}

site tcp:::debug-output from rawtp:::net_dev_queue
/tcp_is_sent[args[0]]/
{
	this->net_skb = args[0];
	return (args[0]->sk, tcp_hdr_of[net_hdr[args[0]]], net_hdr[args[0]]);
}

/*
 * Reasons up to SKB_DROP_REASON_NOT_SPECIFIED are no drops, or unknown.  Data in the queues of a
 * closed socket was received (reason QUEUE_PURGE since Linux 6.8, no reason before).
 */
inline int tcp_dropped[struct sk_buff *skb] = net_is_ip[skb] && skb->skb_iif != 0 &&
    tcp_is_seg[net_hdr[skb]] && net_in_scope[skb->sk];

site tcp:::debug-drop from rawtp:::kfree_skb
/args[2] > SKB_DROP_REASON_NOT_SPECIFIED && args[2] != SKB_DROP_REASON_QUEUE_PURGE &&
    tcp_dropped[args[0]]/
{
	this->net_skb = args[0];
	return (args[0]->sk, tcp_hdr_of[net_hdr[args[0]]], net_hdr[args[0]]);
}
else from rawtp:::kfree_skb
/args[2] > SKB_DROP_REASON_NOT_SPECIFIED && tcp_dropped[args[0]]/
{
	this->net_skb = args[0];
	return (args[0]->sk, tcp_hdr_of[net_hdr[args[0]]], net_hdr[args[0]]);
}

site tcp:::debug-user from rawtp:::sock_send_length
/net_is_inet_of[args[0], 1, IPPROTO_TCP] && net_in_scope[args[0]]/
{
	return (args[0], PRU_SEND);
}

site tcp:::debug-user from rawtp:::sock_recv_length
/net_is_inet_of[args[0], 1, IPPROTO_TCP] && net_in_scope[args[0]]/
{
	return (args[0], PRU_RCVD);
}

site tcp:::siftr from cgroup:skb::ingress
/tcp_is_full[args[1]] && net_in_scope[args[1]]/
{
	this->tcp_dir = SIFTR_IN;
	return (args[1]);
}

site tcp:::siftr from rawtp:::net_dev_queue
/tcp_is_sent[args[0]] && tcp_is_full[args[0]->sk]/
{
	this->tcp_dir = SIFTR_OUT;
	return (args[0]->sk);
}
