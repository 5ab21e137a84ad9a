/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handle.c: opens and closes a handle; its errors, options and handlers.
 */
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "lang/version.h"
#include "lib/priv.h"
#include "print/msg.h"
#include "sys/machine.h"

const char _dtrace_version[] = "Sun D " VERSION_LATEST;

/* ---- errors ---- */

static const char *const error_texts[] = {
    [EDT_VERSION - EDT_BASE] = "the library has another version",
    [EDT_PRIVILEGES - EDT_BASE] = "DTrace requires additional privileges",
    [EDT_COMPILER - EDT_BASE] = "the program has errors",
    [EDT_BADOPTNAME - EDT_BASE] = "Invalid option name",
    [EDT_BADOPTVAL - EDT_BASE] = "Invalid value for specified option",
    [EDT_ACTIVE - EDT_BASE] = "Operation illegal when tracing is active",
    [EDT_NOTACTIVE - EDT_BASE] = "Operation illegal when tracing is not active",
    [EDT_DESTRUCTIVE - EDT_BASE] = "Destructive actions not allowed",
    [EDT_ENABLING - EDT_BASE] = "the programs could not be enabled",
    [EDT_NOPROBE - EDT_BASE] = "No probe matches description",
    [EDT_UNSTABLE - EDT_BASE] = "the description matches more than one probe",
    [EDT_BADSPEC - EDT_BASE] = "Invalid probe specification",
    [EDT_NOSYM - EDT_BASE] = "Unknown symbol name",
    [EDT_NOSYMADDR - EDT_BASE] = "No symbol corresponds to address",
    [EDT_NOTYPE - EDT_BASE] = "Unknown type name",
    [EDT_NOBUFFERED - EDT_BASE] = "there is neither an output file nor a handler",
    [EDT_DIRABORT - EDT_BASE] = "Abort explicitly requested",
    [EDT_ERRABORT - EDT_BASE] = "Abort due to error",
    [EDT_DROPABORT - EDT_BASE] = "Abort due to drop",
    [EDT_PROC - EDT_BASE] = "the process could not be created or watched",
    [EDT_WRITE - EDT_BASE] = "output could not be written",
    [EDT_LINK - EDT_BASE] = "the object could not be made",
    [EDT_NOMOD - EDT_BASE] = "no such module",
    [EDT_BADRVAL - EDT_BASE] = "a consumer callback returned an invalid value",
    [EDT_NOMEM - EDT_BASE] = "Memory allocation failure",
};

#define NERRORS ((int)(sizeof(error_texts) / sizeof(error_texts[0])))

void lib_leave(struct lib_call *call)
{
	mem_escape(call->before);
}

void lib_break(dtrace_hdl_t *h)
{
	h->is_broken = true;
	h->err = EDT_NOMEM;
}

void lib_enter(dtrace_hdl_t *h)
{
	buf_reset(&h->text);
}

int lib_fail(dtrace_hdl_t *h, int err)
{
	h->err = err;
	return -1;
}

int lib_fail_text(dtrace_hdl_t *h, int err, const char *fmt, ...)
{
	va_list ap;

	buf_reset(&h->text);
	va_start(ap, fmt);
	buf_vprintf(&h->text, fmt, ap);
	va_end(ap);
	return lib_fail(h, err);
}

int dtrace_errno(dtrace_hdl_t *h)
{
	return h->err;
}

const char *dtrace_errmsg(dtrace_hdl_t *h, int error)
{
	if (h && h->err == error && h->text.n && !h->is_broken)
		return buf_str(&h->text);
	if (error >= EDT_BASE && error < EDT_BASE + NERRORS)
		return error_texts[error - EDT_BASE];
	return strerror(error);
}

/* Appends a message of the session to the text, as a line. */
static void note(void *ctx, const char *text)
{
	dtrace_hdl_t *h = ctx;

	if (h->text.n)
		buf_putc(&h->text, '\n');
	buf_puts(&h->text, text);
}

/* ---- open, close ---- */

static void process_ended(void *ctx, pid_t pid, const char *text)
{
	dtrace_hdl_t *h = ctx;

	for (unsigned int i = 0; h->proc_func && i < h->procs.n; i++)
		if (h->procs.a[i]->pid == pid)
			h->proc_func(h->procs.a[i], text, h->proc_arg);
}

static dtrace_hdl_t *fail_open(int *errp, int err)
{
	if (errp)
		*errp = err;
	return NULL;
}

/* All open handles, of all threads. */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static dtrace_hdl_t *open_handles;

dtrace_hdl_t *dtrace_open(int version, int flags, int *errp)
{
	LIB_CALL;
	bool traces;
	struct session *s;
	dtrace_hdl_t *h;

	if (setjmp(call.env) != 0)
		return fail_open(errp, EDT_NOMEM);
	traces = !(flags & (DTRACE_O_NODEV | DTRACE_O_NOSYS));
	if (version != DTRACE_VERSION)
		return fail_open(errp, EDT_VERSION);
	s = session_new("libdtrace");
	if (traces && !(sys_capable(s->machine, CAP_BPF) && sys_capable(s->machine, CAP_PERFMON))) {
		session_free(s);
		return fail_open(errp, EDT_PRIVILEGES);
	}
	h = mem_alloc(sizeof(*h));
	h->s = s;
	h->owner = getpid();
	s->report.sink = note;
	s->report.ctx = h;
	s->ended = process_ended;
	s->ended_ctx = h;
	s->compile.is_ilp32 = flags & DTRACE_O_ILP32;
	session_prepare(s);
	out_redirect_buf(&s->out, &h->out);
	s->consume.setopt = lib_setopt;
	s->consume.ctx = h;
	s->consume.listener = &lib_listener;
	s->consume.listener_ctx = h;
	h->data.dtpda_handle = h;
	h->data.dtpda_pdesc = &h->probe;
	pthread_mutex_lock(&open_lock);
	h->next_open = open_handles;
	open_handles = h;
	pthread_mutex_unlock(&open_lock);
	return h;
}

bool lib_is_open(const dtrace_hdl_t *h)
{
	const dtrace_hdl_t *i;

	pthread_mutex_lock(&open_lock);
	for (i = open_handles; i && i != h; i = i->next_open)
		;
	pthread_mutex_unlock(&open_lock);
	return i != NULL;
}

static void forget(const dtrace_hdl_t *h)
{
	dtrace_hdl_t **i = &open_handles;

	pthread_mutex_lock(&open_lock);
	while (*i && *i != h)
		i = &(*i)->next_open;
	if (*i)
		*i = h->next_open;
	pthread_mutex_unlock(&open_lock);
}

static void free_descs(dtrace_hdl_t *h)
{
	for (unsigned int i = 0; i < h->descs.n; i++) {
		if (!h->descs.a[i])
			continue;
		mem_free(h->descs.a[i]->pub);
		mem_free(h->descs.a[i]->of);
		mem_free(h->descs.a[i]);
	}
	vec_free(&h->descs);
}

void dtrace_close(dtrace_hdl_t *h)
{
	LIB_CALL;
	if (!h || !lib_is_open(h) || setjmp(call.env) != 0)
		return;
	forget(h);
	if (h->owner != getpid())
		session_disown(h->s);
	else if (h->is_active && !h->is_stopped)
		session_halt(h->s);
	free_descs(h);
	if (h->doc)
		out_finish(&h->s->out);
	session_free(h->s);
	if (h->doc)
		fclose(h->doc);
	mem_free(h->doc_text);
	for (unsigned int i = 0; i < h->progs.n; i++)
		mem_free(h->progs.a[i]);
	vec_free(&h->progs);
	for (unsigned int i = 0; i < h->procs.n; i++)
		mem_free(h->procs.a[i]);
	vec_free(&h->procs);
	vec_free(&h->formats);
	buf_free(&h->text);
	buf_free(&h->names);
	buf_free(&h->out);
	for (unsigned int i = 0; i < 2; i++)
		mem_free(h->name_copies[i]);
	mem_free(h->record);
	mem_free(h);
}

/* ---- options ---- */

/* Returns true for options of the command only. */
static bool is_foreign(const char *name)
{
	return strcmp(name, "metrics") == 0 || strcmp(name, "target") == 0;
}

int dtrace_setopt(dtrace_hdl_t *h, const char *opt, const char *val)
{
	LIB_ENTER(h, -1);
	const char *why;

	lib_enter(h);
	if (!opt)
		return lib_fail(h, EINVAL);
	if (is_foreign(opt))
		return lib_fail(h, EDT_BADOPTNAME);
	why = session_setopt(h->s, opt, val);
	if (!why)
		return 0;
	if (why == msg_reason(MSG_REASON_OPTION_NAME))
		return lib_fail(h, EDT_BADOPTNAME);
	if (why == msg_reason(MSG_REASON_ACTIVE))
		return lib_fail(h, EDT_ACTIVE);
	return lib_fail_text(h, EDT_BADOPTVAL, "%s", why);
}

static bool get(const dtrace_hdl_t *h, const char *name, dtrace_optval_t *val)
{
	const struct opts *o = &h->s->opts;
	const char *const *words;

	for (int i = 0; i < OPT_MAX; i++) {
		if (strcmp(opts_name((enum opt)i), name) != 0)
			continue;
		words = opts_words((enum opt)i);
		*val = (dtrace_optval_t)o->num[i];
		if (!o->is_set[i] && !o->num[i])
			*val = DTRACEOPT_UNSET;
		for (int w = 0; words && o->is_set[i] && words[w]; w++)
			if (strcasecmp(words[w], o->text[i]) == 0)
				*val = w;
		return true;
	}
	return false;
}

int dtrace_getopt(dtrace_hdl_t *h, const char *opt, dtrace_optval_t *val)
{
	LIB_ENTER(h, -1);
	lib_enter(h);
	if (!opt || !val)
		return lib_fail(h, EINVAL);
	return get(h, opt, val) ? 0 : lib_fail(h, EDT_BADOPTNAME);
}

/* setopt() of a D program, when its record is consumed. */
const char *lib_setopt(void *ctx, const char *name, const char *value)
{
	dtrace_hdl_t *h = ctx;
	dtrace_setoptdata_t data = {
	    .dtsda_handle = h, .dtsda_probe = &h->data, .dtsda_option = name};
	const char *why;

	get(h, name, &data.dtsda_oldval);
	why = session_setopt(h->s, name, value);
	if (why || !h->setopt_func)
		return why;
	get(h, name, &data.dtsda_newval);
	if (h->setopt_func(&data, h->setopt_arg) == DTRACE_HANDLE_ABORT)
		h->abort = EDT_DIRABORT;
	return NULL;
}

/* ---- handlers ---- */

int dtrace_handle_err(dtrace_hdl_t *h, dtrace_handle_err_f *func, void *arg)
{
	h->err_func = func;
	h->err_arg = arg;
	return 0;
}

int dtrace_handle_drop(dtrace_hdl_t *h, dtrace_handle_drop_f *func, void *arg)
{
	h->drop_func = func;
	h->drop_arg = arg;
	return 0;
}

int dtrace_handle_proc(dtrace_hdl_t *h, dtrace_handle_proc_f *func, void *arg)
{
	h->proc_func = func;
	h->proc_arg = arg;
	return 0;
}

int dtrace_handle_setopt(dtrace_hdl_t *h, dtrace_handle_setopt_f *func, void *arg)
{
	h->setopt_func = func;
	h->setopt_arg = arg;
	return 0;
}

int dtrace_handle_buffered(dtrace_hdl_t *h, dtrace_handle_buffered_f *func, void *arg)
{
	h->buffered_func = func;
	h->buffered_arg = arg;
	return 0;
}
