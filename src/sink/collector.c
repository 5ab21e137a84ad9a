/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * collector.c: see collector.h.
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

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/vec.h"
#include "metrics/otlp.h"
#include "consume/consume.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/collector.h"
#include "sink/sinks.h"

#define LIBRARY	   "libcurl.so.4"
#define TIMEOUT_MS 10000L /* of a request */
#define ANSWER_MAX 4096	  /* bytes of an answer that are kept */
#define REPORT_MAX 200	  /* bytes of an answer that are reported */

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

struct collector {
	const struct sink_env *env;
	const struct collector_signal *signal;
	void *lib;
	CURLM *multi;
	CURL *easy;
	CURLU *to;
	struct curl_slist *headers;
	VEC(struct metrics_label) resource; /* owned by the session */
	bool is_sending;
	bool can_retry;	   /* the last failure can be temporary */
	uint64_t rejected; /* items of the last request; 0: not known */
	struct buf answer;
	uint64_t nmissed; /* since the last success */
	char error[CURL_ERROR_SIZE];
	LIBRARY_MEMBERS(FUNCTIONS)
};

static const char *url(const struct collector *c)
{
	return c->env->opts->text[OPT_otlp];
}

/* ---- the request ---- */

static void add_attribute(struct collector *c, const char *name, const char *text)
{
	for (unsigned int i = 0; i < c->resource.n; i++)
		if (strcmp(c->resource.a[i].name, name) == 0)
			return;
	vec_push(&c->resource, ((struct metrics_label){name, text, strlen(text)}));
}

static void add_header(struct collector *c, const char *name, const char *text)
{
	c->headers =
	    c->curl_slist_append(c->headers, arena_printf(c->env->arena, "%s: %s", name, text));
}

/* Calls add for each pair of "name=value,name=value", whose values are encoded as in URLs. */
static void each_pair(struct collector *c, const char *variable,
		      void (*add)(struct collector *c, const char *name, const char *text))
{
	const char *list = getenv(variable);
	char *save, *pair, *equals, *text;

	if (!list)
		return;
	for (pair = strtok_r(arena_strdup(c->env->arena, list), ",", &save); pair;
	     pair = strtok_r(NULL, ",", &save)) {
		pair += strspn(pair, " ");
		equals = strchr(pair, '=');
		if (!equals || equals == pair)
			continue;
		*equals = '\0';
		text = c->curl_easy_unescape(c->easy, equals + 1, 0, NULL);
		if (text)
			add(c, pair, arena_strdup(c->env->arena, text));
		c->curl_free(text);
	}
}

/* Sets the trusted certificates, and the client's certificate and key.  The files are in PEM. */
static void set_certificates(struct collector *c)
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
			c->curl_easy_setopt(c->easy, files[i].option, path);
	}
}

/* Adds the attributes of this process.  The first value of a name wins. */
static void describe(struct collector *c)
{
	const char *service = getenv("OTEL_SERVICE_NAME");

	if (service && *service)
		add_attribute(c, "service.name", service);
	each_pair(c, "OTEL_RESOURCE_ATTRIBUTES", add_attribute);
	add_attribute(c, "service.name", "dtrace");
	if (c->env->run.host)
		add_attribute(c, "host.name", c->env->run.host);
	each_pair(c, "OTEL_EXPORTER_OTLP_HEADERS", add_header);
	add_header(c, "Content-Type", "application/x-protobuf");
	/* Without this, libcurl waits for an answer that some servers never send. */
	c->headers = c->curl_slist_append(c->headers, "Expect:");
}

struct metrics_labels collector_resource(const struct collector *c)
{
	return (struct metrics_labels){c->resource.a, c->resource.n};
}

void collector_send(struct collector *c, const struct buf *body)
{
	buf_reset(&c->answer);
	c->error[0] = '\0';
	c->rejected = 0;
	c->curl_easy_setopt(c->easy, CURLOPT_POSTFIELDS, buf_str(body));
	c->curl_easy_setopt(c->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->n);
	c->curl_multi_add_handle(c->multi, c->easy);
	c->is_sending = true;
}

bool collector_is_sending(const struct collector *c)
{
	return c->is_sending;
}

bool collector_ok(const struct collector *c)
{
	return c->nmissed == 0;
}

bool collector_can_retry(const struct collector *c)
{
	return c->can_retry;
}

uint64_t collector_rejected(const struct collector *c, uint64_t n)
{
	return c->rejected && c->rejected < n ? c->rejected : n;
}

/* ---- the result ---- */

static size_t keep_answer(char *s, size_t size, size_t n, void *ctx)
{
	struct collector *c = ctx;
	size_t room = ANSWER_MAX - c->answer.n;

	buf_add(&c->answer, s, n < room ? n : room);
	return size * n;
}

/* Reports a failure, unless the previous request failed, too. */
static void missed(struct collector *c, const char *why)
{
	if (c->nmissed++ == 0)
		report_error(c->env->report, "could not send %s to '%s': %s", c->signal->name,
			     url(c), why);
}

static void taken(struct collector *c)
{
	if (c->nmissed)
		report_error(c->env->report,
			     "sending %s to '%s' works again; it failed %" PRIu64 " times",
			     c->signal->name, url(c), c->nmissed);
	c->nmissed = 0;
}

/* Reports a failure with the start of the collector's text.  Unprintable characters are escaped. */
static void missed_for(struct collector *c, const char *why, const char *text, uint64_t n)
{
	struct buf b = {0};

	buf_puts(&b, why);
	for (uint64_t i = 0; i < n && i < REPORT_MAX; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (i == 0)
			buf_puts(&b, ": ");
		if (isprint(byte))
			buf_putc(&b, (char)byte);
		else
			out_escaped(&b, byte);
	}
	missed(c, b.s);
	buf_free(&b);
}

/* "OpenTelemetry Protocol Specification", Retryable Response Codes. */
static bool is_passing(long status)
{
	return status == 429 || status == 502 || status == 503 || status == 504;
}

static void judge(struct collector *c, long status)
{
	const char *text;
	char why[64];
	uint64_t n;

	if (status / 100 != 2) {
		snprintf(why, sizeof(why), "HTTP status %ld", status);
		missed_for(c, why, buf_str(&c->answer), c->answer.n);
		return;
	}
	c->rejected = otlp_rejected(&c->answer, &text, &n);
	if (c->rejected) {
		snprintf(why, sizeof(why), "%" PRIu64 " %s rejected", c->rejected,
			 c->signal->items);
		missed_for(c, why, text, n);
	} else {
		taken(c);
	}
}

static void finish(struct collector *c, CURLcode code)
{
	long status = 0;

	c->curl_multi_remove_handle(c->multi, c->easy);
	c->is_sending = false;
	c->curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
	c->can_retry = code != CURLE_OK || is_passing(status);
	if (code == CURLE_OK)
		judge(c, status);
	else
		missed(c, c->error[0] ? c->error : c->curl_easy_strerror(code));
}

void collector_go_on(struct collector *c)
{
	CURLMsg *m;
	int n;

	c->curl_multi_perform(c->multi, &n);
	while ((m = c->curl_multi_info_read(c->multi, &n)) != NULL)
		if (m->msg == CURLMSG_DONE)
			finish(c, m->data.result);
}

bool collector_wait(struct collector *c, uint64_t end)
{
	const struct consume *co = c->env->consume;
	const volatile int *signals = co ? co->plan->env.signals : NULL;

	collector_go_on(c);
	while (c->is_sending && clock_ns() < end && (!signals || *signals < 2)) {
		c->curl_multi_poll(c->multi, NULL, 0, 100, NULL);
		collector_go_on(c);
	}
	if (!c->is_sending)
		return true;
	c->curl_multi_remove_handle(c->multi, c->easy);
	c->is_sending = false;
	return false;
}

void collector_too_late(struct collector *c)
{
	char why[64];

	snprintf(why, sizeof(why), "the last %s were not accepted in time", c->signal->name);
	c->nmissed = 0;
	missed(c, why);
}

/* ---- start and stop ---- */

/* Returns NULL, or the error. */
static const char *parse_url(struct collector *c)
{
	char *scheme = NULL, *path = NULL;
	const char *why = NULL;
	CURLUcode code;

	c->to = c->curl_url();
	code = c->curl_url_set(c->to, CURLUPART_URL, url(c), 0);
	if (code == CURLUE_OK)
		c->curl_url_get(c->to, CURLUPART_SCHEME, &scheme, 0);
	if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)) {
		why = code == CURLUE_OK || code == CURLUE_UNSUPPORTED_SCHEME ||
			      code == CURLUE_BAD_SCHEME
			  ? "expected http://HOST:PORT or https://HOST:PORT"
			  : c->curl_url_strerror(code);
	} else {
		c->curl_url_get(c->to, CURLUPART_PATH, &path, 0);
		if (!path || strcmp(path, "/") == 0)
			c->curl_url_set(c->to, CURLUPART_PATH, c->signal->path, 0);
	}
	c->curl_free(scheme);
	c->curl_free(path);
	return why;
}

static const char *start(struct collector *c)
{
	const char *why;

	if (!library_open(c, LIBRARY, FUNCTIONS))
		return LIBRARY " is not installed";
	why = parse_url(c);
	if (why)
		return why;
	c->easy = c->curl_easy_init();
	c->multi = c->curl_multi_init();
	if (!c->easy || !c->multi)
		return "the HTTP client does not start";
	describe(c);
	c->curl_easy_setopt(c->easy, CURLOPT_CURLU, c->to);
	c->curl_easy_setopt(c->easy, CURLOPT_HTTPHEADER, c->headers);
	c->curl_easy_setopt(c->easy, CURLOPT_USERAGENT, "dtrace");
	c->curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
	c->curl_easy_setopt(c->easy, CURLOPT_TIMEOUT_MS, TIMEOUT_MS);
	c->curl_easy_setopt(c->easy, CURLOPT_ERRORBUFFER, c->error);
	c->curl_easy_setopt(c->easy, CURLOPT_WRITEFUNCTION, keep_answer);
	c->curl_easy_setopt(c->easy, CURLOPT_WRITEDATA, c);
	set_certificates(c);
	return NULL;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	if (c->is_sending)
		c->curl_multi_remove_handle(c->multi, c->easy);
	if (c->easy)
		c->curl_easy_cleanup(c->easy);
	if (c->multi)
		c->curl_multi_cleanup(c->multi);
	if (c->headers)
		c->curl_slist_free_all(c->headers);
	if (c->to)
		c->curl_url_cleanup(c->to);
	library_close(c);
	vec_free(&c->resource);
	buf_free(&c->answer);
	mem_free(c);
}

struct collector *collector_new(const struct sink_env *env, const struct collector_signal *signal)
{
	struct collector *c = mem_alloc(sizeof(*c));
	const char *why;

	c->env = env;
	c->signal = signal;
	why = start(c);
	if (!why)
		return c;
	report_error(env->report, "could not send %s to '%s': %s", signal->name, url(c), why);
	collector_free(c);
	return NULL;
}
