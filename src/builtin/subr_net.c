/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_net.c: byte order and addresses as text.
 */
#include <bpf/bpf.h>
#include <stddef.h>
#include <sys/socket.h>

#include "builtin/builtin.h"

#define INET_LEN  16 /* "255.255.255.255" and a NUL */
#define INET6_LEN 48 /* INET6_ADDRSTRLEN, rounded up */

#define ARPHRD_INFINIBAND 32 /* linux/if_arp.h; an address has 20 bytes (INFINIBAND_ALEN) */
#define ARPHRD_ETHER	  1  /* 6 bytes (ETH_ALEN) */
#define LINK_LEN	  64 /* 20 bytes as text, rounded up */

/* Flags of rt_inet_ntoa6. */
enum { INET6_PREFIX = 1, INET6_COMPAT = 2 };

static struct val swap(struct lw *lw, const struct expr *e, enum ir_op op)
{
	return builtin_int(lw_un(lw, op, lw_scalar(lw, e->args[0])), e);
}

static struct val call_swap16(struct lw *lw, const struct expr *e)
{
	return swap(lw, e, IR_BSWAP16);
}

static struct val call_swap32(struct lw *lw, const struct expr *e)
{
	return swap(lw, e, IR_BSWAP32);
}

static struct val call_swap64(struct lw *lw, const struct expr *e)
{
	return swap(lw, e, IR_BSWAP64);
}

/* Copies the bytes that a pointer argument points to into a slot. */
static struct tmp pointed(struct lw *lw, const struct expr *arg, uint32_t size)
{
	struct val p = lw_expr(lw, arg);

	if (p.place == PLACE_BTF || p.place == PLACE_CTX || p.place == PLACE_SAFE)
		p.place = PLACE_SCALAR;
	p.v = lw_flat(lw, p);
	p.off = 0;
	return lw_kread(lw, p, size);
}

static struct strv text(struct lw *lw, struct tmp t)
{
	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem};
}

static void inet4(struct lw *lw, const struct expr *arg, struct tmp dst)
{
	struct tmp a = pointed(lw, arg, 4);

	lw_rt(lw, "rt_inet_ntoa", dst.p, lw_load_pure(lw, 4, a.p, 0, a.mem), NULL);
}

static void inet6(struct lw *lw, const struct expr *arg, struct tmp dst, int64_t flags)
{
	struct tmp a = pointed(lw, arg, 16);

	lw_rt(lw, "rt_inet_ntoa6", dst.p, lw_load_pure(lw, 8, a.p, 0, a.mem),
	      lw_load_pure(lw, 8, a.p, 8, a.mem), lw_const(lw, flags), NULL);
}

static struct strv str_inet_ntoa(struct lw *lw, const struct expr *e)
{
	struct tmp dst = lw_scratch(lw, lw->plan->opt.strsize);

	inet4(lw, e->args[0], dst);
	return text(lw, dst);
}

static struct strv str_inet_ntoa6(struct lw *lw, const struct expr *e)
{
	bool strict = e->nargs > 1 && e->args[1]->val;
	struct tmp dst = lw_scratch(lw, lw->plan->opt.strsize);

	inet6(lw, e->args[0], dst, INET6_COMPAT | (strict ? INET6_PREFIX : 0));
	return text(lw, dst);
}

/* Writes the address at argument 1 as text. */
typedef void writer(struct lw *lw, const struct expr *arg, struct tmp dst);

/* Writes one of two forms, chosen by argument 0.  Faults with ILLOP for other values. */
static struct strv by_kind(struct lw *lw, const struct expr *e, int first, writer *as_first,
			   int second, writer *as_second)
{
	struct ir_block *yes = lw_block(lw), *no = lw_block(lw), *done = lw_block(lw);
	struct tmp dst = lw_scratch(lw, lw->plan->opt.strsize);
	struct ir_ins *kind = lw_scalar(lw, e->args[0]);
	unsigned int mark;

	lw_if(lw, lw_bini(lw, IR_EQ, kind, first), yes, no);
	lw_seal_at(lw, yes);
	mark = lw_push(lw);
	as_first(lw, e->args[1], dst);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, no);
	lw_fault_if(lw, lw_bini(lw, IR_NE, kind, second), ABI_FLT_ILLOP, NULL);
	as_second(lw, e->args[1], dst);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return text(lw, dst);
}

static void net6(struct lw *lw, const struct expr *arg, struct tmp dst)
{
	inet6(lw, arg, dst, INET6_COMPAT | INET6_PREFIX);
}

static struct strv str_inet_ntop(struct lw *lw, const struct expr *e)
{
	return by_kind(lw, e, AF_INET, inet4, AF_INET6, net6);
}

static void ether(struct lw *lw, const struct expr *arg, struct tmp dst)
{
	struct tmp a = pointed(lw, arg, 6);
	struct ir_ins *low = lw_load_pure(lw, 4, a.p, 0, a.mem),
		      *high = lw_load_pure(lw, 2, a.p, 4, a.mem), *zero = lw_const(lw, 0);

	low = lw_bin(lw, IR_OR, low, lw_bini(lw, IR_SHL, high, 32));
	lw_rt(lw, "rt_link_ntop", dst.p, low, zero, zero, lw_const(lw, 6), NULL);
}

static void infiniband(struct lw *lw, const struct expr *arg, struct tmp dst)
{
	struct tmp a = pointed(lw, arg, 20);

	lw_rt(lw, "rt_link_ntop", dst.p, lw_load_pure(lw, 8, a.p, 0, a.mem),
	      lw_load_pure(lw, 8, a.p, 8, a.mem), lw_load_pure(lw, 4, a.p, 16, a.mem),
	      lw_const(lw, 20), NULL);
}

static struct strv str_link_ntop(struct lw *lw, const struct expr *e)
{
	return by_kind(lw, e, ARPHRD_ETHER, ether, ARPHRD_INFINIBAND, infiniband);
}

/* ip6_behind(ip): see rt_ip6_behind. */
static struct val call_ip6_behind(struct lw *lw, const struct expr *e)
{
	struct ir_ins *ip = lw_number(lw, lw_expr(lw, e->args[0]));

	return builtin_int(lw_rt(lw, "rt_ip6_behind", ip, NULL), e);
}

/* The second argument selects the code, so it must be constant. */
static bool check_inet_ntoa6(struct check *ck, struct expr *e)
{
	return e->nargs < 2 || e->args[1]->kind == EXPR_INT ||
	       diag(check_diags(ck), e->args[1]->loc, D_PROTO_ARG,
		    "inet_ntoa6( ) argument #2 must be an integer constant");
}

#define SWAP(id, type, fn)                                                           \
	{                                                                            \
		.name = #id, .kind = IDENT_FUNC, .proto = type " " #id "(" type ")", \
		.impl = &(const struct builtin_func)                                 \
		{                                                                    \
			.call = fn                                                   \
		}                                                                    \
	}
#define STR_FUNC(id, text, fn, max) BUILTIN_FUNC(id, 0, text, .str = fn, .bound = max)

const struct lang_row builtin_subr_net[] = {
    SWAP(htons, "uint16_t", call_swap16),
    SWAP(ntohs, "uint16_t", call_swap16),
    SWAP(htonl, "uint32_t", call_swap32),
    SWAP(ntohl, "uint32_t", call_swap32),
    SWAP(htonll, "uint64_t", call_swap64),
    SWAP(ntohll, "uint64_t", call_swap64),
    STR_FUNC(inet_ntoa, "string inet_ntoa(ipaddr_t *)", str_inet_ntoa, INET_LEN),
    {.name = "inet_ntoa6",
     .kind = IDENT_FUNC,
     .proto = "string inet_ntoa6(in6_addr_t *, [int])",
     .check = check_inet_ntoa6,
     .impl = &(const struct builtin_func){.str = str_inet_ntoa6, .bound = INET6_LEN}},
    STR_FUNC(inet_ntop, "string inet_ntop(int, void *)", str_inet_ntop, INET6_LEN),
    {.name = "ip6_behind",
     .kind = IDENT_FUNC,
     .proto = "uint64_t ip6_behind(void *)",
     .impl = &(const struct builtin_func){.call = call_ip6_behind, .is_pure = true}},
    STR_FUNC(link_ntop, "string link_ntop(int, void *)", str_link_ntop, LINK_LEN),
    {0},
};
