/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sctp.d: the sctp provider: packets, each with all its chunks; states and windows of associations.
 *
 * Only the probes of packets work without the kernel's module for SCTP.  The other probes use its
 * functions, so the module must be loaded and traceable when tracing begins.  These probes never
 * fire: cwnd::pd, cwnd::rttvar, cwnd::rttstep (Linux has nothing like them) and flightsize (no
 * traceable place changes it).
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
	uint16_t sctp_sport;    /* port of the sender */
	uint16_t sctp_dport;    /* port of the receiver */
	uint32_t sctp_verify;   /* verification tag */
	uint32_t sctp_checksum; /* of the packet */
	uintptr_t sctp_hdr;     /* the header itself */
} sctpinfo_t;

translator sctpinfo_t < struct net_sctp *H > {
	sctp_sport = ntohs(H->sport);
	sctp_dport = ntohs(H->dport);
	sctp_verify = ntohl(H->verify);
	sctp_checksum = ntohl(H->sum);
	sctp_hdr = (uintptr_t)H;
};

inline int SCTP_STATE_EMPTY = 0x0;
inline int SCTP_STATE_INUSE = 0x1;
inline int SCTP_STATE_COOKIE_WAIT = 0x2;
inline int SCTP_STATE_COOKIE_ECHOED = 0x4;
inline int SCTP_STATE_ESTABLISHED = 0x8;
inline int SCTP_STATE_OPEN = 0x8;
inline int SCTP_STATE_SHUTDOWN_SENT = 0x10;
inline int SCTP_STATE_SHUTDOWN_RECEIVED = 0x20;
inline int SCTP_STATE_SHUTDOWN_ACK_SENT = 0x40;
inline int SCTP_STATE_SHUTDOWN_PENDING = 0x80;
inline int SCTP_STATE_CLOSED_SOCKET = 0x100;
inline int SCTP_STATE_MASK = 0x7f;

inline string sctp_state_string[int32_t s] =
    s == SCTP_STATE_EMPTY ? "state-closed" :
    s == SCTP_STATE_SHUTDOWN_PENDING ? "state-shutdown-pending" :
    s == SCTP_STATE_COOKIE_WAIT ? "state-cookie-wait" :
    s == SCTP_STATE_COOKIE_ECHOED ? "state-cookie-echoed" :
    s == SCTP_STATE_OPEN ? "state-established" :
    s == SCTP_STATE_SHUTDOWN_SENT ? "state-shutdown-sent" :
    s == SCTP_STATE_SHUTDOWN_RECEIVED ? "state-shutdown-received" :
    s == SCTP_STATE_SHUTDOWN_ACK_SENT ? "state-shutdown-ack-sent" :
    "<unknown>";

/* Maps the kernel's enum sctp_state to these (include/net/sctp/constants.h). */
inline int32_t sctp_state[int s] =
    s == 0 ? SCTP_STATE_EMPTY :
    s == 4 ? SCTP_STATE_SHUTDOWN_PENDING :
    s < 4 ? 1 << s :
    1 << (s - 1);

typedef struct sctpsinfo {
	uintptr_t sctps_addr; /* the struct sctp_association, or sock */
	uint16_t sctps_lport; /* local port */
	uint16_t sctps_rport; /* remote port */
	string sctps_laddr;   /* local address */
	string sctps_raddr;   /* remote primary address */
	int32_t sctps_state;  /* SCTP_STATE_OPEN and so on */
} sctpsinfo_t;

inline string sctp_laddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_rcv_saddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_rcv_saddr);

inline string sctp_raddr[struct sock *sk] =
    sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&sk->__sk_common.skc_v6_daddr) :
    inet_ntoa((ipaddr_t *)&sk->__sk_common.skc_daddr);

/* Is it a socket of associations?  Raw sockets (SOCK_RAW 3) and others can also send packets. */
inline int sctp_is_of[struct sock *sk] = sk->sk_protocol == IPPROTO_SCTP && sk->sk_type != 3;
inline int sctp_has[struct sock *sk] = net_is_whole[sk] && sctp_is_of[sk];

translator sctpsinfo_t < struct sock *S > {
	sctps_addr = sctp_has[S] ? (uintptr_t)S : 0;
	sctps_lport = !sctp_has[S] ? 0 : S->__sk_common.skc_num;
	sctps_rport = !sctp_has[S] ? 0 : ntohs(S->__sk_common.skc_dport);
	sctps_laddr = !sctp_has[S] ? "<unknown>" : sctp_laddr[S];
	sctps_raddr = !sctp_has[S] ? "<unknown>" : sctp_raddr[S];
	sctps_state = !sctp_has[S] ? 0 :
	    S->__sk_common.skc_state == 1 ? SCTP_STATE_OPEN : SCTP_STATE_EMPTY;
};

/* The old and the new state of an association, where they are known. */
this struct sctp_association *sctp_asoc;
this int sctp_old;
this int sctp_new;

inline string sctp_asoc_raddr[struct sctp_association *A] =
    A->peer.primary_addr.v4.sin_family == AF_INET6 ?
    inet_ntoa6((in6_addr_t *)&A->peer.primary_addr.v6.sin6_addr) :
    inet_ntoa((ipaddr_t *)&A->peer.primary_addr.v4.sin_addr.s_addr);

translator sctpsinfo_t < struct sctp_association *A > {
	sctps_addr = (uintptr_t)A;
	sctps_lport = A->base.bind_addr.port;
	sctps_rport = A->peer.port;
	sctps_laddr = sctp_laddr[A->base.sk];
	sctps_raddr = sctp_asoc_raddr[A];
	sctps_state = sctp_state[this->sctp_new];
};

typedef struct sctplsinfo {
	int32_t sctps_state; /* the state before */
} sctplsinfo_t;

translator sctplsinfo_t < int I > {
	sctps_state = sctp_state[I];
};

provider sctp {
	probe send(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_sctp *sh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, sctpsinfo_t *sk, sctpinfo_t *sh);
	probe receive(struct sk_buff *skb, struct sock *sk, struct net_ip4 *ip, struct net_sctp *sh) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *ip, sctpsinfo_t *sk, sctpinfo_t *sh);
	probe state__change(void *none, struct sock *sk, struct sctp_association *asoc, int old) :
	    (void *none, csinfo_t *sk, void *none, sctpsinfo_t *asoc, void *none, sctplsinfo_t *old);
	probe cwnd::init(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::ack(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::fr(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::to(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::bl(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::ecn(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::pd(uint32_t vtag, uint32_t ports, uintptr_t net, int old, int now);
	probe cwnd::rttvar(uint64_t vtag, uint64_t bw, uint64_t rtt, uint64_t flight, uint64_t cwnd);
	probe cwnd::rttstep(uint64_t vtag, uint64_t bw, uint64_t rtt, uint64_t flight, uint64_t cwnd);
	probe rwnd:assoc:val(uint32_t vtag, uint32_t ports, int change, int now);
	probe flightsize:net:val(uint32_t vtag, uint32_t ports, uintptr_t net, int change, int now);
	probe flightsize:assoc:val(uint32_t vtag, uint32_t ports, int change, int now);
};

site sctp:::send from rawtp:::net_dev_queue
/net_is_ip[args[0]] && !net_was_sent[args[0]] && args[0]->skb_iif == 0 &&
    net_proto[net_hdr[args[0]]] == IPPROTO_SCTP && net_is_first[net_hdr[args[0]]] &&
    net_in_scope[args[0]->sk]/
{
	this->net_skb = args[0];
	return (args[0], args[0]->sk, net_hdr[args[0]], (struct net_sctp *)net_l4[net_hdr[args[0]]]);
}

site sctp:::receive from cgroup:skb::ingress
/sctp_is_of[args[1]] && net_in_scope[args[1]]/
{
	this->net_skb = args[0];
	return (args[0], args[1], net_hdr[args[0]], (struct net_sctp *)net_l4[net_hdr[args[0]]]);
}

/* ---- states of associations ---- */

/*
 * sctp_do_sm() handles events of an association, its argument; on the passive side it creates the
 * association meanwhile.  Packets that it sends can be received in the same thread before it
 * returns.  So each thread has a stack of associations and of their old states.
 */
self int sctp_depth;
struct sctp_association *sctp_asocs[uintptr_t, int];
int sctp_olds[uintptr_t, int];

inline uintptr_t sctp_me = (uintptr_t)curthread;

fbt:sctp:sctp_do_sm:entry
{
	self->sctp_depth = self->sctp_depth + 1;
	sctp_asocs[sctp_me, self->sctp_depth] = (struct sctp_association *)arg5;
	sctp_olds[sctp_me, self->sctp_depth] = arg5 == 0 ? 0 :
	    (int)((struct sctp_association *)arg5)->state;
}

fbt:sctp:sctp_endpoint_add_asoc:entry
/self->sctp_depth > 0 && sctp_asocs[sctp_me, self->sctp_depth] == NULL/
{
	sctp_asocs[sctp_me, self->sctp_depth] = (struct sctp_association *)arg1;
	sctp_olds[sctp_me, self->sctp_depth] = (int)((struct sctp_association *)arg1)->state;
}

fbt:sctp:sctp_do_sm:return
{
	this->sctp_asoc = self->sctp_depth > 0 ? sctp_asocs[sctp_me, self->sctp_depth] : NULL;
	this->sctp_old = this->sctp_asoc == NULL ? 0 : sctp_olds[sctp_me, self->sctp_depth];
	this->sctp_new = this->sctp_asoc == NULL ? 0 : (int)this->sctp_asoc->state;
	sctp_asocs[sctp_me, self->sctp_depth] = NULL;
	sctp_olds[sctp_me, self->sctp_depth] = 0;
	self->sctp_depth = self->sctp_depth > 0 ? self->sctp_depth - 1 : 0;
}

/* An association that is given up is closed, and not used any more. */
fbt:sctp:sctp_association_free:entry
{
	this->sctp_asoc = (struct sctp_association *)arg0;
	this->sctp_old = (int)this->sctp_asoc->state;
	this->sctp_new = 0;
}

fbt:sctp:sctp_association_free:entry
/self->sctp_depth > 0 && (uintptr_t)sctp_asocs[sctp_me, self->sctp_depth] == arg0/
{
	this->sctp_old = sctp_olds[sctp_me, self->sctp_depth];
	sctp_asocs[sctp_me, self->sctp_depth] = NULL;
}

site sctp:::state-change from fbt:sctp:sctp_do_sm:return, fbt:sctp:sctp_association_free:entry
/this->sctp_old != this->sctp_new && net_in_scope[this->sctp_asoc->base.sk]/
{
	return (NULL, this->sctp_asoc->base.sk, this->sctp_asoc, this->sctp_old);
}

/* ---- windows ---- */

inline uint32_t sctp_ports[struct sctp_association *A] = A->base.bind_addr.port << 16 | A->peer.port;

/* The argument of the function, and the old window. */
self struct sctp_transport *sctp_net;
self uint32_t sctp_cwnd;
self uint64_t sctp_why;

fbt:sctp:sctp_transport_raise_cwnd:entry, fbt:sctp:sctp_transport_lower_cwnd:entry,
fbt:sctp:sctp_transport_burst_limited:entry
{
	self->sctp_net = (struct sctp_transport *)arg0;
	self->sctp_cwnd = ((struct sctp_transport *)arg0)->cwnd;
	self->sctp_why = arg1;
}

inline int sctp_changed = self->sctp_net != NULL && self->sctp_net->cwnd != self->sctp_cwnd &&
    net_in_scope[self->sctp_net->asoc->base.sk];

/* enum sctp_lower_cwnd: SCTP_LOWER_CWND_T3_RTX 0, _FAST_RTX 1, _ECNE 2 */
inline int sctp_lowered[int why] = sctp_changed && (int)self->sctp_why == why;

site sctp:cwnd::ack from fbt:sctp:sctp_transport_raise_cwnd:return
/sctp_changed/
{
	return (self->sctp_net->asoc->c.my_vtag, sctp_ports[self->sctp_net->asoc],
	    (uintptr_t)self->sctp_net, self->sctp_cwnd, self->sctp_net->cwnd);
}

site sctp:cwnd::to from fbt:sctp:sctp_transport_lower_cwnd:return
/sctp_lowered[0]/
{
	return (self->sctp_net->asoc->c.my_vtag, sctp_ports[self->sctp_net->asoc],
	    (uintptr_t)self->sctp_net, self->sctp_cwnd, self->sctp_net->cwnd);
}

site sctp:cwnd::fr from fbt:sctp:sctp_transport_lower_cwnd:return
/sctp_lowered[1]/
{
	return (self->sctp_net->asoc->c.my_vtag, sctp_ports[self->sctp_net->asoc],
	    (uintptr_t)self->sctp_net, self->sctp_cwnd, self->sctp_net->cwnd);
}

site sctp:cwnd::ecn from fbt:sctp:sctp_transport_lower_cwnd:return
/sctp_lowered[2]/
{
	return (self->sctp_net->asoc->c.my_vtag, sctp_ports[self->sctp_net->asoc],
	    (uintptr_t)self->sctp_net, self->sctp_cwnd, self->sctp_net->cwnd);
}

site sctp:cwnd::bl from fbt:sctp:sctp_transport_burst_limited:return
/sctp_changed/
{
	return (self->sctp_net->asoc->c.my_vtag, sctp_ports[self->sctp_net->asoc],
	    (uintptr_t)self->sctp_net, self->sctp_cwnd, self->sctp_net->cwnd);
}

/* A new path, not one that the association already has. */
self uintptr_t sctp_made;

fbt:sctp:sctp_transport_new:return
{
	self->sctp_made = arg1;
}

site sctp:cwnd::init from fbt:sctp:sctp_assoc_add_peer:return
/arg1 != 0 && self->sctp_made == arg1 &&
    net_in_scope[((struct sctp_transport *)arg1)->asoc->base.sk]/
{
	return (((struct sctp_transport *)arg1)->asoc->c.my_vtag,
	    sctp_ports[((struct sctp_transport *)arg1)->asoc], (uintptr_t)arg1, 0,
	    ((struct sctp_transport *)arg1)->cwnd);
}

self struct sctp_association *sctp_receiver;
self int sctp_rwnd;

fbt:sctp:sctp_assoc_rwnd_increase:entry, fbt:sctp:sctp_assoc_rwnd_decrease:entry
{
	self->sctp_receiver = (struct sctp_association *)arg0;
	self->sctp_rwnd = ((struct sctp_association *)arg0)->rwnd;
}

site sctp:rwnd:assoc:val from fbt:sctp:sctp_assoc_rwnd_increase:return,
    fbt:sctp:sctp_assoc_rwnd_decrease:return
/self->sctp_receiver != NULL && net_in_scope[self->sctp_receiver->base.sk]/
{
	return (self->sctp_receiver->c.my_vtag, sctp_ports[self->sctp_receiver],
	    (int)self->sctp_receiver->rwnd - self->sctp_rwnd, (int)self->sctp_receiver->rwnd);
}
