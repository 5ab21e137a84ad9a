/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_pcap.c: pcap(skb, link type): time, length and bytes of a packet.  Bytes are limited to the
 * linear part of its buffer and to option pcapsize.
 *
 * With PCAP_IP the packet starts at the IP header, with PCAP_ETHER at the frame's header.  With any
 * other type it starts at the data of the current layer.
 */
#include <bpf/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "builtin/builtin.h"

/*
 * Items of a record: nanoseconds since 1970, link type, length of the packet, recorded bytes, data.
 */
enum { PCAP_TIME, PCAP_TYPE, PCAP_LEN, PCAP_KEPT, PCAP_DATA };

/* Link types (dlib/net.d). */
#define TYPE_ETHER 1
#define TYPE_IP	   12

static void plan_pcap(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct item number = {.enc = ITEM_INT, .size = 8};

	rec_act_add(plan, d, e->ident->name, e);
	for (int i = 0; i < PCAP_DATA; i++)
		rec_item_add(d, number);
	rec_item_add(d, (struct item){.enc = ITEM_BYTES, .size = plan->opt.pcapsize});
}

static struct ir_ins *field(struct lw *lw, struct val skb, const char *member)
{
	return lw_field(lw, skb, member).v;
}

/*
 * Returns the address of the first byte.  An unknown header has offset 0 (network) or 0xffff (mac).
 * Then the packet starts at its current layer.
 */
static struct ir_ins *first_byte(struct lw *lw, const struct expr *e, struct val skb,
				 struct ir_ins *head, struct ir_ins *data)
{
	int64_t type = e->args[1]->kind == EXPR_INT ? (int64_t)e->args[1]->val : -1;
	struct ir_ins *offset, *is_known, *back;

	if (type == TYPE_ETHER)
		return lw_umin(lw, data, lw_bin(lw, IR_ADD, head, field(lw, skb, "mac_header")));
	if (type != TYPE_IP)
		return data;
	/* Where a transport protocol has the packet, its data begin after the IP header. */
	offset = field(lw, skb, "network_header");
	is_known = ir_bin(&lw->b, IR_NE, offset, ir_const(&lw->b, 0));
	back = lw_bin(lw, IR_SUB, data, lw_bin(lw, IR_ADD, head, offset));
	return lw_bin(lw, IR_SUB, data, lw_bin(lw, IR_MUL, back, is_known));
}

static void emit_pcap(struct lw *lw, const struct expr *e, unsigned int item)
{
	const struct item *it = &lw->clause.desc->items.a[item + PCAP_DATA];
	struct types *ts = lw->plan->env.types;
	struct val skb = {.v = lw_scalar(lw, e->args[0]),
			  .type = type_ptr(ts, type_lookup(ts, "struct sk_buff")),
			  .place = PLACE_SCALAR};
	struct ir_ins *head = field(lw, skb, "head"), *data = field(lw, skb, "data"), *first, *n,
		      *r;

	first = first_byte(lw, e, skb, head, data);
	n = lw_bin(lw, IR_ADD, head, field(lw, skb, "tail"));
	n = lw_umin(lw, lw_bin(lw, IR_SUB, n, first), lw_const(lw, it->size));
	lw_item_store_int(lw, item + PCAP_TIME, lw_wall_time(lw));
	lw_item_store_int(lw, item + PCAP_TYPE, lw_scalar(lw, e->args[1]));
	lw_item_store_int(
	    lw, item + PCAP_LEN,
	    lw_bin(lw, IR_ADD, field(lw, skb, "len"), lw_bin(lw, IR_SUB, data, first)));
	lw_item_store_int(lw, item + PCAP_KEPT, n);
	r = lw_helper(lw, BPF_FUNC_probe_read_kernel,
		      ir_bin(&lw->b, IR_ADD, lw->clause.rec, ir_const(&lw->b, it->off)), n, first,
		      NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, first);
}

/* The header of a file (www.tcpdump.org/manpages/pcap-savefile.5.html). */
struct head {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, precision, max, type;
};

#define MAGIC 0xa1b23c4d /* for times in nanoseconds */

/* Readers cut off longer packets; a later run may have a larger pcapsize (MAXIMUM_SNAPLEN). */
#define MAX 262144

/* Reads the header of a file that has contents.  Returns false if packets cannot be appended. */
static bool read_head(FILE *f, uint32_t *type)
{
	struct buf path = {0};
	struct head head;
	FILE *again;
	bool is_good;

	buf_printf(&path, "/proc/self/fd/%d", fileno(f));
	again = file_stream(buf_str(&path));
	buf_free(&path);
	is_good = again && fread(&head, sizeof(head), 1, again) == 1 && head.magic == MAGIC;
	if (is_good)
		*type = head.type;
	if (again)
		fclose(again);
	return is_good;
}

/*
 * Makes the file ready for a packet of this type: an empty one gets a header, one with contents
 * must have the same header.  Returns false if the packet does not belong there.  The position
 * shows neither, because the file may be opened again and ftruncate() may empty it.
 */
static bool begin_packet(FILE *f, struct capture *file, uint32_t type, uint32_t max)
{
	struct head head = {MAGIC, 2, 4, 0, 0, max > MAX ? max : MAX, type};
	bool is_file, is_empty;
	struct stat st;

	is_file = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
	is_empty = is_file ? st.st_size == 0 : !file->has_header;
	if (is_empty) {
		fwrite(&head, sizeof(head), 1, f);
		*file = (struct capture){.has_header = true, .type = type};
	} else if (!file->has_header) {
		file->has_header = read_head(f, &file->type);
	}
	return file->has_header && file->type == type;
}

/* Returns false if the file is no capture of this type of packets. */
static bool pcap_write(FILE *f, struct capture *file, const struct value *v, uint32_t kept)
{
	uint64_t ns = (uint64_t)value_int(&v[PCAP_TIME]);
	uint32_t packet[4] = {(uint32_t)(ns / 1000000000), (uint32_t)(ns % 1000000000), kept,
			      (uint32_t)value_int(&v[PCAP_LEN])};

	fflush(f);
	if (!begin_packet(f, file, (uint32_t)value_int(&v[PCAP_TYPE]), v[PCAP_DATA].len))
		return false;
	fwrite(packet, sizeof(packet), 1, f);
	fwrite(v[PCAP_DATA].data, 1, kept, f);
	fflush(f);
	return true;
}

/*
 * Writes to the file of freopen(), whose text then goes to standard output.  Without such a file,
 * prints text.
 */
static void consume_pcap(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	uint64_t kept = (uint64_t)value_int(&v[PCAP_KEPT]);
	FILE *f = c->ops->reopened(c);
	struct capture *file = c->ops->capture(c);

	if (kept > v[PCAP_DATA].len)
		kept = v[PCAP_DATA].len;
	if (f) {
		out_flush(c->out);
		out_redirect(c->out, c->ops->original(c));
		if (pcap_write(f, file, v, (uint32_t)kept) || file->was_reported)
			return;
		file->was_reported = true;
		c->ops->error(c, "could not write a packet: the file of freopen() has "
				 "other contents than packets of this link type");
	} else {
		value_dump(c->out, act->name, v[PCAP_DATA].data, (uint32_t)kept);
	}
}

const struct lang_row builtin_act_pcap[] = {
    {BUILTIN_ACT(pcap, .plan = plan_pcap, .emit = emit_pcap, .consume = consume_pcap),
     .proto = "void pcap(void *, int)", .flags = LANG_RECORDS | LANG_THERE},
    {0},
};
