/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_cat.c: cat(format, ...): the content of a file, read by the consumer.  The action comes from
 * bpftrace (docs/extensions.md).  The consumer is woken up, because files of /proc vanish with
 * their process.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "builtin/builtin.h"
#include "proc/image.h"

/*
 * Maximum bytes of a file.  The name may come from a traced program, which must not fill the disk.
 */
#define CAT_MAX 65536

static bool check(struct check *ck, struct expr *e)
{
	return check_fmt(ck, e, false);
}

static void emit(struct lw *lw, const struct expr *e, unsigned int item)
{
	builtin_emit_text(lw, e, item);
	ir_var_write(&lw->b, lw->clause.var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
}

/* Reads at most CAT_MAX bytes of a file.  Returns 0 or -errno. */
static int read_file(const char *path, struct buf *text)
{
	int fd = file_open_ordinary(path);
	char piece[4096];
	ssize_t n = 0;

	if (fd < 0)
		return fd;
	while (text->n < CAT_MAX && (n = read(fd, piece, sizeof(piece))) > 0)
		buf_add(text, piece, (size_t)n);
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

static void consume(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	struct buf name = {0}, text = {0};
	const char *path = builtin_text(&name, act, v);
	int err = read_file(path, &text);
	struct value content = {.kind = VALUE_STR, .data = buf_str(&text), .len = (uint32_t)text.n};

	if (err) {
		buf_reset(&text);
		buf_printf(&text, "could not read '%s': %s", path, strerror(-err));
		c->ops->message(c, buf_str(&text));
	} else if (!out_object(c->out, OUT_OBJECT_TRACE, &content)) {
		out_text(c->out, buf_str(&text), text.n);
	}
	buf_free(&name);
	buf_free(&text);
}

const struct lang_row builtin_act_cat[] = {
    {BUILTIN_ACT(cat, .plan = builtin_plan_text, .emit = emit, .consume = consume),
     .nargs = {1, UINT_MAX}, .check = check, .flags = LANG_RECORDS | LANG_EXTENSION},
    {0},
};
