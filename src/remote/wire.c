/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.c: frames, and calls in them.  Nothing that arrives is trusted: lengths are checked before
 * use.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "remote/wire.h"

#define READ_SIZE 65536

static size_t up_to_word(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

void wire_init(struct wire *w, int in, int out)
{
	memset(w, 0, sizeof(*w));
	w->in = in;
	w->out = out;
}

void wire_free(struct wire *w)
{
	close(w->in);
	if (w->out != w->in)
		close(w->out);
	buf_free(&w->got);
	buf_free(&w->sent);
}

void wire_send(struct wire *w, enum wire_type type, const void *p, size_t len, const void *bytes,
	       size_t nbytes)
{
	struct wire_head h = {.magic = WIRE_MAGIC,
			      .type = (uint16_t)type,
			      .version = WIRE_VERSION,
			      .session = w->session,
			      .len = (uint32_t)(len + nbytes)};

	buf_add(&w->sent, &h, sizeof(h));
	if (len)
		buf_add(&w->sent, p, len);
	if (nbytes)
		buf_add(&w->sent, bytes, nbytes);
	buf_pad(&w->sent, '\0', -(len + nbytes) & 7);
}

/* Removes bytes from the front. */
static void drop(struct buf *b, size_t n)
{
	if (n)
		memmove(b->s, b->s + n, b->n - n + 1);
	b->n -= n;
}

/* Calls write(2) without SIGPIPE if nobody reads: the end of a target must not end us. */
static ssize_t write_quietly(int fd, const void *p, size_t len)
{
	const struct timespec now = {0};
	sigset_t pipe, old, pending;
	ssize_t n;
	int err;

	sigpending(&pending);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &old);
	n = write(fd, p, len);
	err = errno;
	if (n < 0 && err == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = err;
	return n;
}

bool wire_flush(struct wire *w)
{
	size_t done = 0;

	while (!w->is_over && done < w->sent.n) {
		ssize_t n = write_quietly(w->out, w->sent.s + done, w->sent.n - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0)
			w->is_over = true;
		else
			done += (size_t)n;
	}
	drop(&w->sent, done);
	return !w->is_over;
}

bool wire_is_full(const struct wire *w)
{
	return w->sent.n > 2 * WIRE_MAX;
}

/* Never blocks, and never keeps more than the largest frame. */
bool wire_fill(struct wire *w)
{
	char part[READ_SIZE];

	if (wire_is_full(w))
		return true;
	drop(&w->got, w->used);
	w->used = 0;
	while (!w->is_over && w->got.n < WIRE_MAX + sizeof(struct wire_head)) {
		ssize_t n = read(w->in, part, sizeof(part));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0)
			w->is_over = true;
		else
			buf_add(&w->got, part, (size_t)n);
	}
	return !w->is_over;
}

static bool is_head(const struct wire_head *h)
{
	return h->magic == WIRE_MAGIC && h->type > 0 && h->type < WIRE_TYPE_MAX &&
	       h->len <= WIRE_MAX;
}

static bool is_first(const struct wire *w, const struct wire_head *h)
{
	bool is_answer = h->type == WIRE_WELCOME || h->type == WIRE_BUSY;

	return h->len <= sizeof(struct wire_hello) &&
	       (w->session ? is_answer && h->session == w->session
			   : h->type == WIRE_HELLO && h->session);
}

/* Before the connection is made, the channel may have other bytes.  Skips to a valid first
 * frame. */
static void skip_noise(struct wire *w)
{
	struct wire_head h;

	for (; w->got.n - w->used >= sizeof(h); w->used++) {
		memcpy(&h, w->got.s + w->used, sizeof(h));
		if (is_head(&h) && is_first(w, &h))
			return;
	}
}

void wire_meet(struct wire *w, uint32_t session)
{
	w->session = session;
	w->is_met = true;
}

const struct wire_head *wire_next(struct wire *w)
{
	for (;;) {
		struct wire_head *h;
		size_t left;

		if (!w->is_met)
			skip_noise(w);
		left = w->got.n - w->used;
		if (left < sizeof(*h))
			return NULL;
		/* Structures must be aligned to words. */
		if (w->used % 8) {
			drop(&w->got, w->used);
			w->used = 0;
		}
		h = (struct wire_head *)(w->got.s + w->used);
		if (!is_head(h)) {
			w->is_over = true;
			return NULL;
		}
		if (left < sizeof(*h) + up_to_word(h->len))
			return NULL;
		w->used += sizeof(*h) + up_to_word(h->len);
		if (!w->is_met || h->session == w->session || h->type == WIRE_HELLO)
			return h;
	}
}

void wire_wait(struct wire *w, int other_fd, int ms)
{
	struct pollfd p[] = {
	    {.fd = wire_is_full(w) ? -1 : w->in, .events = POLLIN},
	    {.fd = w->sent.n ? w->out : -1, .events = POLLOUT},
	    {.fd = other_fd, .events = POLLIN},
	};

	poll(p, 3, ms);
}

/* ---- calls ---- */

static unsigned int container(const struct sys_call *c, unsigned int i, uint32_t *off)
{
	const char *field = (const char *)c->mems[i].field;

	for (unsigned int j = 0; j < i; j++) {
		const char *start = c->mems[j].at;

		if (field >= start && field + 8 <= start + c->mems[j].len) {
			*off = (uint32_t)(field - start);
			return j;
		}
	}
	abort();
}

void wire_put_call(struct buf *b, const struct sys_call *c)
{
	struct wire_call wc = {.op = c->op, .nmems = c->nmems};

	memcpy(wc.args, c->args, sizeof(wc.args));
	buf_add(b, &wc, sizeof(wc));
	for (unsigned int i = 0; i < c->nmems; i++) {
		const struct sys_mem *m = &c->mems[i];
		struct wire_mem wm = {
		    .len = m->len, .is_in = m->is_in, .is_out = m->is_out, .arg = (int8_t)m->arg};

		if (m->arg < 0)
			wm.in = (uint8_t)container(c, i, &wm.off);
		buf_add(b, &wm, sizeof(wm));
	}
	for (unsigned int i = 0; i < c->nmems; i++)
		if (c->mems[i].is_in)
			buf_add(b, c->mems[i].at, c->mems[i].len);
}

/* Stores the address of memory number i in its argument, or in a field of earlier memory. */
static bool place(struct sys_call *c, unsigned int i, const struct wire_mem *wm, char *at)
{
	struct sys_mem *m = &c->mems[i];

	*m = (struct sys_mem){
	    .at = at, .len = wm->len, .is_in = wm->is_in, .is_out = wm->is_out, .arg = wm->arg};
	if (wm->arg >= 0) {
		if (wm->arg >= SYS_ARGS)
			return false;
		/* The caller checks the first of two, and the kernel uses the second. */
		for (unsigned int j = 0; j < i; j++)
			if (c->mems[j].arg == wm->arg)
				return false;
		c->args[wm->arg] = (int64_t)(intptr_t)at;
		return true;
	}
	if (wm->in >= i || wm->off % 8 || wm->off > c->mems[wm->in].len ||
	    c->mems[wm->in].len - wm->off < 8)
		return false;
	m->field = (uint64_t *)((char *)c->mems[wm->in].at + wm->off);
	for (unsigned int j = 0; j < i; j++)
		if (c->mems[j].field == m->field)
			return false;
	return true;
}

bool wire_get_call(const void *p, size_t len, struct sys_call *c, void **room)
{
	struct wire_mem wm[SYS_MEMS];
	struct wire_call wc;
	const char *bytes = (const char *)p + sizeof(wc);
	size_t size = 0, in = 0;
	char *at;

	memset(c, 0, sizeof(*c));
	*room = NULL;
	if (len < sizeof(wc))
		return false;
	memcpy(&wc, p, sizeof(wc));
	if (wc.op >= SYS_OP_MAX || wc.nmems > SYS_MEMS || len - sizeof(wc) < wc.nmems * sizeof(*wm))
		return false;
	memcpy(wm, bytes, wc.nmems * sizeof(*wm));
	bytes += wc.nmems * sizeof(*wm);
	for (unsigned int i = 0; i < wc.nmems; i++) {
		if (wm[i].len > WIRE_MAX)
			return false;
		size += up_to_word(wm[i].len);
		in += wm[i].is_in ? wm[i].len : 0;
	}
	if (size > WIRE_MAX || in != len - sizeof(wc) - wc.nmems * sizeof(*wm))
		return false;
	c->op = (enum sys_op)wc.op;
	c->nmems = wc.nmems;
	memcpy(c->args, wc.args, sizeof(c->args));
	at = *room = mem_alloc(size + 8);
	for (unsigned int i = 0; i < wc.nmems; at += up_to_word(wm[i].len), i++) {
		if (!place(c, i, &wm[i], at))
			return false;
		if (wm[i].is_in) {
			memcpy(at, bytes, wm[i].len);
			bytes += wm[i].len;
		}
	}
	/* At the end, because the received bytes have addresses of the other side there. */
	for (unsigned int i = 0; i < wc.nmems; i++)
		if (c->mems[i].field)
			*c->mems[i].field = (uintptr_t)c->mems[i].at;
	return true;
}

/* Returns how many bytes of memory a call has written.  Reads seldom fill all of it. */
static size_t written(const struct sys_call *c, unsigned int i, int64_t result)
{
	bool is_read =
	    c->op == SYS_READ || c->op == SYS_PREAD || c->op == SYS_READLINK || c->op == SYS_LIST;

	if (!c->mems[i].is_out)
		return 0;
	if (!is_read || result > c->mems[i].len)
		return c->mems[i].len;
	return result > 0 ? (size_t)result : 0;
}

void wire_put_results(struct buf *b, const struct sys_call *c, int64_t result)
{
	for (unsigned int i = 0; i < c->nmems; i++)
		buf_add(b, c->mems[i].at, written(c, i, result));
}

bool wire_get_results(const void *p, size_t len, const struct sys_call *c, int64_t result)
{
	const char *bytes = p;
	size_t out = 0;

	for (unsigned int i = 0; i < c->nmems; i++)
		out += written(c, i, result);
	if (out != len)
		return false;
	for (unsigned int i = 0; i < c->nmems; i++) {
		size_t n = written(c, i, result);

		if (n)
			memcpy(c->mems[i].at, bytes, n);
		bytes += n;
	}
	/* Keep the pointers of this side. */
	for (unsigned int i = 0; i < c->nmems; i++)
		if (c->mems[i].field)
			*c->mems[i].field = (uintptr_t)c->mems[i].at;
	return true;
}
