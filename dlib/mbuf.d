/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mbuf.d: the struct sk_buff takes the place of the mbuf of other systems.
 */
inline int M_NOWAIT = 1;
inline int M_WAITOK = 2;

inline int MT_DATA = 1;

inline int M_EXT = 0x1;
inline int M_PKTHDR = 0x2;
inline int M_EOR = 0x4;
inline int M_RDONLY = 0x8;
inline int M_BCAST = 0x10;
inline int M_MCAST = 0x20;
inline int M_PROMISC = 0x40;
inline int M_VLANTAG = 0x80;
inline int M_UNUSED_8 = 0x100;
inline int M_NOFREE = 0x200;
inline int M_PROTO1 = 0x1000;
inline int M_PROTO2 = 0x2000;
inline int M_PROTO3 = 0x4000;
inline int M_PROTO4 = 0x8000;
inline int M_PROTO5 = 0x10000;
inline int M_PROTO6 = 0x20000;
inline int M_PROTO7 = 0x40000;
inline int M_PROTO8 = 0x80000;
inline int M_PROTO9 = 0x100000;
inline int M_PROTO10 = 0x200000;
inline int M_PROTO11 = 0x400000;
inline int M_PROTO12 = 0x800000;

inline string mbufflags_string[uint32_t flags] =
    flags & M_EXT ? "M_EXT" :
    flags & M_PKTHDR ? "M_PKTHDR" :
    flags & M_EOR ? "M_EOR" :
    flags & M_RDONLY ? "M_RDONLY" :
    flags & M_BCAST ? "M_BCAST" :
    flags & M_MCAST ? "M_MCAST" :
    flags & M_PROMISC ? "M_PROMISC" :
    flags & M_VLANTAG ? "M_VLANTAG" :
    flags & M_NOFREE ? "M_NOFREE" :
    "none";

typedef struct mbufinfo {
	uintptr_t mbuf_addr; /* the struct sk_buff */
	caddr_t m_data;      /* start of its data */
	int32_t m_len;       /* bytes of data */
	uint8_t m_type;      /* MT_DATA */
	uint32_t m_flags;    /* M_EXT, M_BCAST and so on */
} mbufinfo_t;

/* All buffers have external data.  PACKET_BROADCAST 1, PACKET_MULTICAST 2, PACKET_OTHERHOST 3 */
inline uint32_t mbuf_flags[struct sk_buff *skb] = M_EXT | M_PKTHDR |
    (skb->pkt_type == 1 ? M_BCAST : skb->pkt_type == 2 ? M_MCAST :
    skb->pkt_type == 3 ? M_PROMISC : 0);

translator mbufinfo_t < struct sk_buff *S > {
	mbuf_addr = (uintptr_t)S;
	m_data = S == NULL ? NULL : (caddr_t)S->data;
	m_len = S == NULL ? 0 : S->len - S->data_len;
	m_type = MT_DATA;
	m_flags = S == NULL ? 0 : mbuf_flags[S];
};
