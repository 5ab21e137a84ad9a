/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt.d: interrupt handlers, timer functions, and memory of packets, which other systems call mbufs
 * (mbuf.d).
 *
 * interrupt-start and interrupt-complete are about one handler of a device's interrupt.  Their
 * arguments are the driver's registration, the function and its argument, the number of the
 * interrupt, and whether the device raised it.
 *
 * m-getcl is a new buffer with room for data.  m-gethdr is a new one for existing data, made by a
 * driver.  m-get shares the data of another buffer, and m-clget gets other room.  m-init is any new
 * buffer.  m-free is each freed buffer.  m-freem comes before m-free: a packet that is consumed or
 * dropped, which alone can still have other owners.
 *
 * If functions cannot be traced, the sites are allocations and frees of the kernel's cache.  These
 * miss buffers that drivers take and return in bulk, and buffers made together with another that
 * shares them (as TCP does).  args[] of a new buffer then shows its previous contents.  m-getjcl,
 * m-cljget and m-cljset never fire: Linux does not distinguish sizes of room.
 */
#pragma D depends_on library mbuf.d

/*
 * A callout is the part of struct timer_list or struct hrtimer (include/linux) with the time
 * followed by the function.  Scripts cast arg0 of callout-start to callout_t.
 */
typedef struct callout_time_and_function {
	uint64_t c_time;        /* expiry: jiffies, or ns of the timer's clock */
	void (*c_func)(void *); /* the function */
} callout_t;

inline callout_t *callout_of[uintptr_t function] =
    (callout_t *)(function - offsetof(callout_t, c_func));

provider sdt {
	probe m__init(struct sk_buff *m, uint32_t how, uint16_t type, uint32_t flags, uint32_t error) :
	    (mbufinfo_t *m, uint32_t how, uint16_t type, uint32_t flags, uint32_t error);
	probe m__gethdr(uint32_t how, uint16_t type, struct sk_buff *m) :
	    (uint32_t how, uint16_t type, mbufinfo_t *m);
	probe m__get(uint32_t how, uint16_t type, struct sk_buff *m) :
	    (uint32_t how, uint16_t type, mbufinfo_t *m);
	probe m__getcl(uint32_t how, uint16_t type, uint32_t flags, struct sk_buff *m) :
	    (uint32_t how, uint16_t type, uint32_t flags, mbufinfo_t *m);
	probe m__getjcl(uint32_t how, uint16_t type, uint32_t flags, uint32_t size, struct sk_buff *m) :
	    (uint32_t how, uint16_t type, uint32_t flags, uint32_t size, mbufinfo_t *m);
	probe m__clget(struct sk_buff *m, uint32_t how, uint32_t ok) :
	    (mbufinfo_t *m, uint32_t how, uint32_t ok);
	probe m__cljget(struct sk_buff *m, uint32_t how, uint32_t size, void *data) :
	    (mbufinfo_t *m, uint32_t how, uint32_t size, void *data);
	probe m__cljset(struct sk_buff *m, void *data) : (mbufinfo_t *m, void *data);
	probe interrupt__start(struct irqaction *action, uintptr_t handler, uintptr_t device, int irq);
	probe interrupt__complete(struct irqaction *action, uintptr_t handler, uintptr_t device, int irq, int claimed);
	probe callout__start(callout_t *c);
	probe callout__end(callout_t *c);
	probe m__free(struct sk_buff *m) : (mbufinfo_t *m);
	probe m__freem(struct sk_buff *m) : (mbufinfo_t *m);
};

site sdt:::interrupt-start from rawtp:::irq_handler_entry
{
	return (args[1], (uintptr_t)args[1]->handler, (uintptr_t)args[1]->dev_id, args[0]);
}

/* IRQ_HANDLED is 1 (include/linux/irqreturn.h). */
site sdt:::interrupt-complete from rawtp:::irq_handler_exit
{
	return (args[1], (uintptr_t)args[1]->handler, (uintptr_t)args[1]->dev_id, args[0], args[2] == 1);
}

/* At the end the timer can be freed: only its address is known. */
site sdt:::callout-start from rawtp:::timer_expire_entry, rawtp:::hrtimer_expire_entry
{
	return (callout_of[(uintptr_t)&args[0]->function]);
}

site sdt:::callout-end from rawtp:::timer_expire_exit, rawtp:::hrtimer_expire_exit
{
	return (callout_of[(uintptr_t)&args[0]->function]);
}

/* __GFP_DIRECT_RECLAIM: without this flag an allocation does not wait for memory
 * (include/linux/gfp_types.h). */
inline uint32_t mbuf_how[unsigned int gfp] = (gfp & 0x400) != 0 ? M_WAITOK : M_NOWAIT;

/*
 * Arguments of functions, for their returns.  An interrupt can call the functions in the same
 * thread, so each thread has a stack.
 */
self int mbuf_depth;
unsigned int mbuf_gfps[uintptr_t, int];
struct sk_buff *mbuf_given[uintptr_t, int];

this unsigned int mbuf_gfp;
this struct sk_buff *mbuf_of;

fbt::__alloc_skb:entry, fbt::skb_clone:entry
{
	self->mbuf_depth = self->mbuf_depth + 1;
	mbuf_gfps[(uintptr_t)curthread, self->mbuf_depth] = (unsigned int)arg1;
}

fbt::pskb_expand_head:entry
{
	self->mbuf_depth = self->mbuf_depth + 1;
	mbuf_gfps[(uintptr_t)curthread, self->mbuf_depth] = args[3];
	mbuf_given[(uintptr_t)curthread, self->mbuf_depth] = args[0];
}

fbt::__alloc_skb:return, fbt::skb_clone:return, fbt::pskb_expand_head:return
{
	this->mbuf_gfp = mbuf_gfps[(uintptr_t)curthread, self->mbuf_depth];
	this->mbuf_of = mbuf_given[(uintptr_t)curthread, self->mbuf_depth];
	mbuf_gfps[(uintptr_t)curthread, self->mbuf_depth] = 0;
	mbuf_given[(uintptr_t)curthread, self->mbuf_depth] = NULL;
	self->mbuf_depth = self->mbuf_depth > 0 ? self->mbuf_depth - 1 : 0;
}

/* The last buffer made with room, by any function that then passes it on. */
self uintptr_t mbuf_made;

fbt::__alloc_skb:return
{
	self->mbuf_made = arg1;
}

inline struct sk_buff *mbuf_result[uintptr_t value] = (struct sk_buff *)value;

/*
 * If functions cannot be traced, the return address of the cache identifies the function that
 * allocates; such functions are shorter than 512 bytes.  They allocate room for data from another
 * cache.
 */
inline int mbuf_is_in[uintptr_t pc, uintptr_t func] = pc - func < 512;

inline int mbuf_is_data[struct kmem_cache *C] = stringof(C->name) == "skbuff_small_head";

inline int mbuf_is_head[struct kmem_cache *C] = stringof(C->name) == "skbuff_head_cache";

inline int mbuf_is_alloc[uintptr_t pc] = mbuf_is_in[pc, (uintptr_t)&`__alloc_skb];
inline int mbuf_is_clone[uintptr_t pc] = mbuf_is_in[pc, (uintptr_t)&`skb_clone];
inline int mbuf_is_build[uintptr_t pc] = mbuf_is_in[pc, (uintptr_t)&`__build_skb];

/*
 * Buffers with a second one for a clone come from a cache whose name can differ.  The return
 * address does not identify their frees, because functions jump there.
 */
int mbuf_is_double[uintptr_t];
this int mbuf_was_double;

rawtp:::kmem_cache_alloc
/mbuf_is_alloc[args[0]] && args[1] != NULL && !mbuf_is_data[args[2]] && !mbuf_is_head[args[2]]/
{
	mbuf_is_double[(uintptr_t)args[1]] = 1;
}

rawtp:::kmem_cache_free
{
	this->mbuf_was_double = mbuf_is_double[(uintptr_t)args[1]];
	mbuf_is_double[(uintptr_t)args[1]] = 0;
}

site sdt:::m-init from fbt::__alloc_skb:return, fbt::skb_clone:return
/arg1 != 0/
{
	return (mbuf_result[arg1], mbuf_how[this->mbuf_gfp], MT_DATA, M_EXT | M_PKTHDR, 0);
}
and from fbt::__netdev_alloc_skb:return, fbt::__napi_alloc_skb:return, fbt::napi_alloc_skb:return
/arg1 != 0 && arg1 != self->mbuf_made/
{
	return (mbuf_result[arg1], M_NOWAIT, MT_DATA, M_EXT | M_PKTHDR, 0);
}
and from fbt::build_skb:return, fbt::napi_build_skb:return, fbt::slab_build_skb:return
/arg1 != 0/
{
	return (mbuf_result[arg1], M_NOWAIT, MT_DATA, M_EXT | M_PKTHDR, 0);
}
else from rawtp:::kmem_cache_alloc
/(mbuf_is_alloc[args[0]] || mbuf_is_clone[args[0]] || mbuf_is_build[args[0]]) &&
    args[1] != NULL && !mbuf_is_data[args[2]]/
{
	return ((struct sk_buff *)args[1], mbuf_how[args[3]], MT_DATA, M_EXT | M_PKTHDR, 0);
}

site sdt:::m-getcl from fbt::__alloc_skb:return
/arg1 != 0/
{
	return (mbuf_how[this->mbuf_gfp], MT_DATA, M_EXT | M_PKTHDR, mbuf_result[arg1]);
}
and from fbt::__netdev_alloc_skb:return, fbt::__napi_alloc_skb:return, fbt::napi_alloc_skb:return
/arg1 != 0 && arg1 != self->mbuf_made/
{
	return (M_NOWAIT, MT_DATA, M_EXT | M_PKTHDR, mbuf_result[arg1]);
}
else from rawtp:::kmem_cache_alloc
/mbuf_is_alloc[args[0]] && args[1] != NULL && !mbuf_is_data[args[2]]/
{
	return (mbuf_how[args[3]], MT_DATA, M_EXT | M_PKTHDR, (struct sk_buff *)args[1]);
}

site sdt:::m-get from fbt::skb_clone:return
/arg1 != 0/
{
	return (mbuf_how[this->mbuf_gfp], MT_DATA, mbuf_result[arg1]);
}
else from rawtp:::kmem_cache_alloc
/mbuf_is_clone[args[0]] && args[1] != NULL/
{
	return (mbuf_how[args[3]], MT_DATA, (struct sk_buff *)args[1]);
}

site sdt:::m-gethdr from fbt::build_skb:return, fbt::napi_build_skb:return,
    fbt::slab_build_skb:return
/arg1 != 0/
{
	return (M_NOWAIT, MT_DATA, mbuf_result[arg1]);
}
else from rawtp:::kmem_cache_alloc
/mbuf_is_build[args[0]] && args[1] != NULL/
{
	return (mbuf_how[args[3]], MT_DATA, (struct sk_buff *)args[1]);
}

site sdt:::m-clget from fbt::pskb_expand_head:return
/this->mbuf_of != NULL/
{
	return (this->mbuf_of, mbuf_how[this->mbuf_gfp], (int)arg1 == 0);
}

site sdt:::m-freem from rawtp:::kfree_skb, rawtp:::consume_skb
{
	return (args[0]);
}

/* skb_morph() empties a buffer and fills it again. */
self uintptr_t mbuf_emptied;

fbt::skb_morph:entry
{
	self->mbuf_emptied = (uintptr_t)args[0];
}

fbt::skb_morph:return
{
	self->mbuf_emptied = 0;
}

/* A buffer without state, or one that has given its data away, is freed without that function. */
site sdt:::m-free from fbt::skb_release_head_state:entry
/(uintptr_t)args[0] != self->mbuf_emptied/
{
	return (args[0]);
}
and from fbt::__consume_stateless_skb:entry, fbt::napi_skb_free_stolen_head:entry
{
	return (args[0]);
}
else from rawtp:::kmem_cache_free
/mbuf_is_head[args[2]] || this->mbuf_was_double/
{
	return ((struct sk_buff *)args[1]);
}
