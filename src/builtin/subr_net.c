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

/* Flags of rt_inet_ntoa6. */
enum { INET6_PREFIX = 1, INET6_COMPAT = 2 };

static struct val swap(struct lw *lw, struct expr *e, enum ir_op op)
{
	return builtin_int(lw_un(lw, op, lw_scalar(lw, e->args[0])), e);
}

static struct val call_swap16(struct lw *lw, struct expr *e)
{
	return swap(lw, e, IR_BSWAP16);
}

static struct val call_swap32(struct lw *lw, struct expr *e)
{
	return swap(lw, e, IR_BSWAP32);
}

static struct val call_swap64(struct lw *lw, struct expr *e)
{
	return swap(lw, e, IR_BSWAP64);
}

/* The bytes that a pointer argument points to, copied to a slot. */
static struct tmp pointed(struct lw *lw, struct expr *arg, uint32_t size)
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
	return (struct strv){.p = t.p, .size = lw->lo->strsize, .mem = t.mem};
}

static struct tmp inet4(struct lw *lw, struct expr *arg, struct tmp dst)
{
	struct tmp a = pointed(lw, arg, 4);

	lw_rt(lw, "rt_inet_ntoa", dst.p, lw_load_pure(lw, 4, a.p, 0, a.mem), NULL);
	return dst;
}

static struct tmp inet6(struct lw *lw, struct expr *arg, struct tmp dst, int64_t flags)
{
	struct tmp a = pointed(lw, arg, 16);

	lw_rt(lw, "rt_inet_ntoa6", dst.p, lw_load_pure(lw, 8, a.p, 0, a.mem),
	      lw_load_pure(lw, 8, a.p, 8, a.mem), lw_const(lw, flags), NULL);
	return dst;
}

static struct strv str_inet_ntoa(struct lw *lw, struct expr *e)
{
	return text(lw, inet4(lw, e->args[0], lw_scratch(lw, lw->lo->strsize)));
}

static struct strv str_inet_ntoa6(struct lw *lw, struct expr *e)
{
	bool strict = e->nargs > 1 && e->args[1]->val;

	return text(lw, inet6(lw, e->args[0], lw_scratch(lw, lw->lo->strsize),
			      INET6_COMPAT | (strict ? INET6_PREFIX : 0)));
}

static struct strv str_inet_ntop(struct lw *lw, struct expr *e)
{
	struct ir_block *v4 = lw_block(lw), *other = lw_block(lw), *done = lw_block(lw);
	struct tmp dst = lw_scratch(lw, lw->lo->strsize);
	struct ir_ins *af = lw_scalar(lw, e->args[0]);
	unsigned int mark;

	lw_if(lw, lw_bini(lw, IR_EQ, af, AF_INET), v4, other);
	lw_seal_at(lw, v4);
	mark = lw_push(lw);
	inet4(lw, e->args[1], dst);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, other);
	lw_fault_if(lw, lw_bini(lw, IR_NE, af, AF_INET6), ABI_FLT_ILLOP, NULL);
	inet6(lw, e->args[1], dst, INET6_COMPAT | INET6_PREFIX);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return text(lw, dst);
}

#define SWAP(id, type, fn)                                                           \
	{                                                                            \
		.name = #id, .kind = IDENT_FUNC, .proto = type " " #id "(" type ")", \
		.impl = &(const struct builtin_func)                                 \
		{                                                                    \
			.call = fn                                                   \
		}                                                                    \
	}
#define STR_FUNC(id, text, fn, max)                             \
	{                                                       \
		.name = #id, .kind = IDENT_FUNC, .proto = text, \
		.impl = &(const struct builtin_func)            \
		{                                               \
			.str = fn, .bound = max                 \
		}                                               \
	}

const struct lang_row builtin_subr_net[] = {
    SWAP(htons, "uint16_t", call_swap16),
    SWAP(ntohs, "uint16_t", call_swap16),
    SWAP(htonl, "uint32_t", call_swap32),
    SWAP(ntohl, "uint32_t", call_swap32),
    SWAP(htonll, "uint64_t", call_swap64),
    SWAP(ntohll, "uint64_t", call_swap64),
    STR_FUNC(inet_ntoa, "string inet_ntoa(ipaddr_t *)", str_inet_ntoa, INET_LEN),
    STR_FUNC(inet_ntoa6, "string inet_ntoa6(in6_addr_t *, [int])", str_inet_ntoa6, INET6_LEN),
    STR_FUNC(inet_ntop, "string inet_ntop(int, void *)", str_inet_ntop, INET6_LEN),
    {0},
};
