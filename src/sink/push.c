/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push.c: a sink that sends aggregations as metrics by OTLP over HTTP (option otlp): in each
 * interval of option otlprate, and once more after tracing, for 5 s at most.  Values are
 * cumulative, so the next request makes up for a failed one.
 *
 * libcurl implements HTTP.  It is loaded on demand.  The loop does not wait for its descriptors,
 * because it runs often enough for a request every few seconds.
 *
 * Other settings come from the environment, as OpenTelemetry 1.40 specifies ("OpenTelemetry
 * Protocol Exporter", "Environment Variable Specification"): OTEL_EXPORTER_OTLP_HEADERS,
 * OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, and files of certificates and keys.
 */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/library.h"
#include "base/mem.h"
#include "metrics/otlp.h"
#include "consume/gather.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/sinks.h"

#define LIBRARY	   "libcurl.so.4"
#define PATH	   "/v1/metrics" /* the specification's default for a URL without a path */
#define TIMEOUT_MS 10000L	 /* of a request */
#define LAST_MS	   5000		 /* of the last request */
#define ANSWER_MAX 4096		 /* bytes of an answer that are kept */
#define TOLD_MAX   200		 /* bytes of it that are reported */

#define FUNCTIONS(X)                \
	X(curl_easy_init)           \
	X(curl_easy_setopt)         \
	X(curl_easy_getinfo)        \
	X(curl_easy_strerror)       \
	X(curl_easy_unescape)       \
	X(curl_easy_cleanup)        \
	X(curl_free)                \
	X(curl_multi_init)          \
	X(curl_multi_add_handle)    \
	X(curl_multi_remove_handle) \
	X(curl_multi_perform)       \
	X(curl_multi_poll)          \
	X(curl_multi_info_read)     \
	X(curl_multi_cleanup)       \
	X(curl_slist_append)        \
	X(curl_slist_free_all)      \
	X(curl_url)                 \
	X(curl_url_set)             \
	X(curl_url_get)             \
	X(curl_url_strerror)        \
	X(curl_url_cleanup)

struct push {
	struct sink k;
	void *lib;
	CURLM *multi;
	CURL *easy;
	CURLU *to;
	struct curl_slist *headers;
	VEC(struct metrics_label) resource; /* owned by the session */
	uint64_t begun;			    /* ns since 1970 */
	uint64_t due;			    /* clock_ns */
	bool is_sending;
	struct buf body, answer;
	uint64_t nmissed; /* since the last success */
	char error[CURL_ERROR_SIZE];
	LIBRARY_MEMBERS(FUNCTIONS)
};

static const char *url(const struct push *p)
{
	return p->k.env->opts->text[OPT_otlp];
}

/* ---- the request ---- */

static void add_attribute(struct push *p, const char *name, const char *text)
{
	for (unsigned int i = 0; i < p->resource.n; i++)
		if (strcmp(p->resource.a[i].name, name) == 0)
			return;
	vec_push(&p->resource, ((struct metrics_label){name, text, strlen(text)}));
}

static void add_header(struct push *p, const char *name, const char *text)
{
	p->headers =
	    p->curl_slist_append(p->headers, arena_printf(p->k.env->arena, "%s: %s", name, text));
}

/* Calls add for each pair of "name=value,name=value", whose values are encoded as in URLs. */
static void each_pair(struct push *p, const char *variable,
		      void (*add)(struct push *p, const char *name, const char *text))
{
	const char *list = getenv(variable);
	char *save, *pair, *equals, *text;

	if (!list)
		return;
	for (pair = strtok_r(arena_strdup(p->k.env->arena, list), ",", &save); pair;
	     pair = strtok_r(NULL, ",", &save)) {
		pair += strspn(pair, " ");
		equals = strchr(pair, '=');
		if (!equals || equals == pair)
			continue;
		*equals = '\0';
		text = p->curl_easy_unescape(p->easy, equals + 1, 0, NULL);
		if (text)
			add(p, pair, arena_strdup(p->k.env->arena, text));
		p->curl_free(text);
	}
}

/* Sets the trusted certificates, and the client's certificate and key.  The files are in PEM. */
static void set_certificates(struct push *p)
{
	static const struct {
		const char *variable;
		CURLoption option;
	} files[] = {
	    {"OTEL_EXPORTER_OTLP_CERTIFICATE", CURLOPT_CAINFO},
	    {"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", CURLOPT_SSLCERT},
	    {"OTEL_EXPORTER_OTLP_CLIENT_KEY", CURLOPT_SSLKEY},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *path = getenv(files[i].variable);

		if (path && *path)
			p->curl_easy_setopt(p->easy, files[i].option, path);
	}
}

/* Adds the attributes of this process.  The first value of a name wins. */
static void describe(struct push *p)
{
	const char *service = getenv("OTEL_SERVICE_NAME");
	struct utsname name;

	if (service && *service)
		add_attribute(p, "service.name", service);
	each_pair(p, "OTEL_RESOURCE_ATTRIBUTES", add_attribute);
	add_attribute(p, "service.name", "dtrace");
	if (uname(&name) == 0)
		add_attribute(p, "host.name", arena_strdup(p->k.env->arena, name.nodename));
	each_pair(p, "OTEL_EXPORTER_OTLP_HEADERS", add_header);
	add_header(p, "Content-Type", "application/x-protobuf");
	/* libcurl would wait for an answer that some servers never send. */
	p->headers = p->curl_slist_append(p->headers, "Expect:");
}

static void begin_sending(struct push *p, bool is_last)
{
	struct metrics_labels resource = {p->resource.a, p->resource.n};
	struct otlp t;

	buf_reset(&p->body);
	buf_reset(&p->answer);
	otlp_begin(&t, &p->body, p->k.env->consume->out, &resource, p->begun, clock_wall());
	gather_metrics(p->k.env->consume, &t.m, is_last);
	p->error[0] = '\0';
	p->curl_easy_setopt(p->easy, CURLOPT_POSTFIELDS, buf_str(&p->body));
	p->curl_easy_setopt(p->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->body.n);
	p->curl_multi_add_handle(p->multi, p->easy);
	p->is_sending = true;
	p->due = clock_ns() + p->k.env->opts->num[OPT_otlprate];
}

/* ---- the result ---- */

static size_t keep_answer(char *s, size_t size, size_t n, void *ctx)
{
	struct push *p = ctx;
	size_t room = ANSWER_MAX - p->answer.n;

	buf_add(&p->answer, s, n < room ? n : room);
	return size * n;
}

/* Reports the first of several failures in a row. */
static void missed(struct push *p, const char *why)
{
	if (p->nmissed++ == 0)
		report_error(p->k.env->report, "could not send metrics to '%s': %s", url(p), why);
}

static void taken(struct push *p)
{
	if (p->nmissed)
		report_error(p->k.env->report,
			     "sending metrics to '%s' works again; it failed %" PRIu64 " times",
			     url(p), p->nmissed);
	p->nmissed = 0;
}

/* Reports a failure with the start of the collector's text.  Unprintable characters are escaped. */
static void missed_for(struct push *p, const char *why, const char *text, uint64_t n)
{
	struct buf b = {0};

	buf_puts(&b, why);
	for (uint64_t i = 0; i < n && i < TOLD_MAX; i++) {
		unsigned char c = (unsigned char)text[i];

		if (i == 0)
			buf_puts(&b, ": ");
		if (isprint(c))
			buf_putc(&b, (char)c);
		else
			out_escaped(&b, c);
	}
	missed(p, b.s);
	buf_free(&b);
}

static void judge(struct push *p, long status)
{
	const char *text;
	char why[64];
	uint64_t n, rejected;

	if (status / 100 != 2) {
		snprintf(why, sizeof(why), "HTTP status %ld", status);
		missed_for(p, why, buf_str(&p->answer), p->answer.n);
		return;
	}
	rejected = otlp_rejected(&p->answer, &text, &n);
	if (rejected) {
		snprintf(why, sizeof(why), "%" PRIu64 " data points rejected", rejected);
		missed_for(p, why, text, n);
	} else {
		taken(p);
	}
}

static void finish(struct push *p, CURLcode code)
{
	long status = 0;

	p->curl_multi_remove_handle(p->multi, p->easy);
	p->is_sending = false;
	p->curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &status);
	if (code == CURLE_OK)
		judge(p, status);
	else
		missed(p, p->error[0] ? p->error : p->curl_easy_strerror(code));
}

static void go_on(struct push *p)
{
	CURLMsg *m;
	int n;

	p->curl_multi_perform(p->multi, &n);
	while ((m = p->curl_multi_info_read(p->multi, &n)) != NULL)
		if (m->msg == CURLMSG_DONE)
			finish(p, m->data.result);
}

static void send_if_due(struct sink *k)
{
	struct push *p = (struct push *)k;

	if (!p->is_sending && clock_ns() >= p->due)
		begin_sending(p, false);
	if (p->is_sending)
		go_on(p);
}

/* Stops waiting after a second signal. */
static void wait_until(struct push *p, uint64_t end)
{
	const volatile int *signals = p->k.env->consume->plan->env.signals;

	go_on(p);
	while (p->is_sending && clock_ns() < end && (!signals || *signals < 2)) {
		p->curl_multi_poll(p->multi, NULL, 0, 100, NULL);
		go_on(p);
	}
}

static bool send_last(struct sink *k, bool is_hasty)
{
	struct push *p = (struct push *)k;
	uint64_t end = clock_ns() + LAST_MS * 1000000ULL;

	if (is_hasty)
		return true;
	if (p->is_sending)
		wait_until(p, end);
	if (p->is_sending)
		p->curl_multi_remove_handle(p->multi, p->easy);
	begin_sending(p, true);
	wait_until(p, end);
	if (p->is_sending) {
		p->nmissed = 0;
		missed(p, "the last metrics were not accepted in time");
	}
	return p->nmissed == 0;
}

/* ---- start and stop ---- */

/* Returns NULL, or the error. */
static const char *parse_url(struct push *p)
{
	char *scheme = NULL, *path = NULL;
	const char *why = NULL;
	CURLUcode code;

	p->to = p->curl_url();
	code = p->curl_url_set(p->to, CURLUPART_URL, url(p), 0);
	if (code == CURLUE_OK)
		p->curl_url_get(p->to, CURLUPART_SCHEME, &scheme, 0);
	if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)) {
		why = code == CURLUE_OK || code == CURLUE_UNSUPPORTED_SCHEME ||
			      code == CURLUE_BAD_SCHEME
			  ? "expected http://HOST:PORT or https://HOST:PORT"
			  : p->curl_url_strerror(code);
	} else {
		p->curl_url_get(p->to, CURLUPART_PATH, &path, 0);
		if (!path || strcmp(path, "/") == 0)
			p->curl_url_set(p->to, CURLUPART_PATH, PATH, 0);
	}
	p->curl_free(scheme);
	p->curl_free(path);
	return why;
}

static const char *start(struct push *p)
{
	const char *why;

	if (!library_open(p, LIBRARY, FUNCTIONS))
		return LIBRARY " is not installed";
	why = parse_url(p);
	if (why)
		return why;
	p->easy = p->curl_easy_init();
	p->multi = p->curl_multi_init();
	if (!p->easy || !p->multi)
		return "the HTTP client does not start";
	describe(p);
	p->curl_easy_setopt(p->easy, CURLOPT_CURLU, p->to);
	p->curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->headers);
	p->curl_easy_setopt(p->easy, CURLOPT_USERAGENT, "dtrace");
	p->curl_easy_setopt(p->easy, CURLOPT_NOSIGNAL, 1L);
	p->curl_easy_setopt(p->easy, CURLOPT_TIMEOUT_MS, TIMEOUT_MS);
	p->curl_easy_setopt(p->easy, CURLOPT_ERRORBUFFER, p->error);
	p->curl_easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, keep_answer);
	p->curl_easy_setopt(p->easy, CURLOPT_WRITEDATA, p);
	set_certificates(p);
	return NULL;
}

static void stop(struct sink *k)
{
	struct push *p = (struct push *)k;

	if (p->is_sending)
		p->curl_multi_remove_handle(p->multi, p->easy);
	if (p->easy)
		p->curl_easy_cleanup(p->easy);
	if (p->multi)
		p->curl_multi_cleanup(p->multi);
	if (p->headers)
		p->curl_slist_free_all(p->headers);
	if (p->to)
		p->curl_url_cleanup(p->to);
	library_close(p);
	vec_free(&p->resource);
	buf_free(&p->body);
	buf_free(&p->answer);
	mem_free(p);
}

static struct sink *open_push(const struct sink_env *env, bool *failed)
{
	const char *why;
	struct push *p;

	if (!env->opts->is_set[OPT_otlp])
		return NULL;
	p = mem_alloc(sizeof(*p));
	p->k.env = env;
	p->begun = clock_wall();
	p->due = clock_ns() + env->opts->num[OPT_otlprate];
	why = start(p);
	if (!why)
		return &p->k;
	report_error(env->report, "could not send metrics to '%s': %s", url(p), why);
	stop(&p->k);
	*failed = true;
	return NULL;
}

const struct sink_type sink_push = {
    .start = open_push,
    .round = send_if_due,
    .write = send_last,
    .free = stop,
};
