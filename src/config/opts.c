/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opts.c: values of options: numbers, sizes with k m g t, rates with a unit, words for yes and no.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/rate.h"
#include "lang/lang.h"
#include "lang/version.h"
#include "print/msg.h"
#include "print/structured.h"
#include "config/opts.h"

enum opt_kind {
	KIND_FLAG,
	KIND_BOOL,
	KIND_INT,
	KIND_SIZE,
	KIND_RATE,
	KIND_TEXT,
	KIND_FILES,
	KIND_FILE,
	KIND_ONCE
};
enum opt_when { WHEN_B, WHEN_C, WHEN_R, WHEN_D };

static const struct {
	const char *name;
	enum opt_kind kind;
	enum opt_when when;
	uint64_t initial;
	const char *unused; /* why it has no effect; NULL: it has one */
} rows[OPT_MAX] = {
#define OPT(name, kind, when, initial, doc) \
	[OPT_##name] = {#name, KIND_##kind, WHEN_##when, initial, NULL},
#define OPT_UNUSED(name, kind, when, initial, why) \
	[OPT_##name] = {#name, KIND_##kind, WHEN_##when, initial, why},
#include "config/opts.def"
};

void opts_init(struct opts *o, struct arena *a)
{
	memset(o, 0, sizeof(*o));
	o->arena = a;
	for (int i = 0; i < OPT_MAX; i++)
		o->num[i] = rows[i].initial;
}

const char *opts_name(enum opt opt)
{
	return rows[opt].name;
}

static const char *const target_kinds[] = {"name", "host", "os", "kernel", NULL};

/* Returns the bits of a list of words; 0: a word is unknown. */
static unsigned int parse_target_kinds(const char *s)
{
	unsigned int bits = 0;

	while (*s) {
		size_t n = strcspn(s, ",");
		int i = 0;

		while (target_kinds[i] &&
		       (strlen(target_kinds[i]) != n || strncmp(s, target_kinds[i], n) != 0))
			i++;
		if (!target_kinds[i])
			return 0;
		bits |= 1U << i;
		s += n + (s[n] == ',');
	}
	return bits;
}

unsigned int opts_target_kinds(const struct opts *o)
{
	return o->is_set[OPT_targetmatch] ? parse_target_kinds(o->text[OPT_targetmatch]) : ~0U;
}

bool opts_draw(const struct opts *o)
{
	return opts_draw_stacks(o) || o->is_set[OPT_heat] || o->is_set[OPT_top];
}

bool opts_draw_stacks(const struct opts *o)
{
	return o->is_set[OPT_flame] || o->is_set[OPT_html] || o->is_set[OPT_folded] ||
	       o->is_set[OPT_speedscope] || o->is_set[OPT_pprof] || o->is_set[OPT_firefox] ||
	       opts_otlp(o, OPTS_OTLP_PROFILES);
}

bool opts_timeline_output(const struct opts *o)
{
	return o->is_set[OPT_oformat] && strcmp(o->text[OPT_oformat], "chrome") == 0;
}

bool opts_timeline_written(const struct opts *o)
{
	return o->is_set[OPT_perfetto] || o->is_set[OPT_chrome] || o->is_set[OPT_ctf] ||
	       opts_timeline_output(o);
}

bool opts_timeline(const struct opts *o)
{
	return o->is_set[OPT_timeline] || opts_timeline_written(o) || opts_otlp_records(o);
}

/* Returns the path of a URL, *n bytes without its last slashes. */
static const char *path_of(const char *url, size_t *n)
{
	const char *host = strstr(url, "://");
	const char *path = host ? host + 3 + strcspn(host + 3, "/?#") : url;

	*n = strcspn(path, "?#");
	while (*n && path[*n - 1] == '/')
		--*n;
	return path;
}

static bool ends_with(const char *s, size_t n, const char *end)
{
	size_t nend = strlen(end);

	return n >= nend && strncmp(s + n - nend, end, nend) == 0;
}

bool opts_otlp(const struct opts *o, const char *signal)
{
	static const char *const others[] = {OPTS_OTLP_LOGS, OPTS_OTLP_SPANS, OPTS_OTLP_PROFILES};
	const char *path;
	size_t n;

	if (!o->is_set[OPT_otlp])
		return false;
	path = path_of(o->text[OPT_otlp], &n);
	if (!n)
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (ends_with(path, n, others[i]))
			return strcmp(signal, others[i]) == 0;
	return strcmp(signal, OPTS_OTLP_METRICS) == 0;
}

bool opts_otlp_records(const struct opts *o)
{
	return opts_otlp(o, OPTS_OTLP_LOGS) || opts_otlp(o, OPTS_OTLP_SPANS);
}

bool opts_measure(const struct opts *o)
{
	return o->is_set[OPT_metrics] || opts_otlp(o, OPTS_OTLP_METRICS);
}

/* Returns the file in "@name=file" or "file"; NULL: it has neither form. */
static const char *file_of(const char *v)
{
	const char *eq = strchr(v, '=');

	return *v != '@' ? v : eq ? eq + 1 : NULL;
}

const char *opts_picture(const struct opts *o, enum opt opt, unsigned int i, const char **agg)
{
	const struct opts_value *value = o->files[opt];
	const char *v, *file;

	while (value && i--)
		value = value->next;
	if (!value)
		return NULL;
	v = value->text;
	file = file_of(v);
	*agg = NULL;
	if (file != v)
		*agg = file - v == 2 ? "_" : arena_strndup(o->arena, v + 1, (size_t)(file - v) - 2);
	return file;
}

/* Returns the file in a value of an option for files. */
static const char *file_in(enum opt opt, const char *text)
{
	return rows[opt].kind == KIND_FILES ? file_of(text) : text;
}

/* Returns the option that has a value with this file; OPT_MAX: none.  Devices are no files. */
static enum opt user_of(const struct opts *o, const char *file)
{
	enum opt i = OPT_MAX;

	if (strncmp(file, "/dev/", 5) != 0)
		for (i = (enum opt)0; i < OPT_MAX; i++)
			for (const struct opts_value *v = o->files[i]; v; v = v->next)
				if (strcmp(file_in(i, v->text), file) == 0)
					return i;
	return OPT_MAX;
}

static void add_file(struct opts *o, enum opt opt, const char *text)
{
	struct opts_value *v = arena_new_obj(o->arena, struct opts_value), **last = &o->files[opt];

	while (*last)
		last = &(*last)->next;
	v->text = text;
	*last = v;
}

static bool has_value(const struct opts *o, enum opt opt, const char *text)
{
	const struct opts_value *v = o->files[opt];

	while (v && strcmp(v->text, text) != 0)
		v = v->next;
	return v || (o->is_set[opt] && strcmp(o->text[opt], text) == 0);
}

/*
 * Sets an option whose values do not silently replace each other.  The same value again changes
 * nothing.
 */
static const char *set_output(struct opts *o, enum opt opt, const char *text)
{
	bool is_file = rows[opt].kind != KIND_ONCE;
	enum opt user;

	if (o->is_default[opt] && !o->reads_defaults) {
		o->is_set[opt] = o->is_default[opt] = false;
		o->files[opt] = NULL;
	}
	if (has_value(o, opt, text))
		return NULL;
	o->has_conflict = true;
	if (o->is_set[opt] && rows[opt].kind != KIND_FILES)
		return arena_printf(o->arena, "it is already set to '%s'; give one value",
				    o->text[opt]);
	user = is_file ? user_of(o, file_in(opt, text)) : OPT_MAX;
	if (user != OPT_MAX)
		return arena_printf(o->arena, "%s writes to the same file '%s'", rows[user].name,
				    file_in(opt, text));
	o->has_conflict = false;
	o->is_set[opt] = true;
	o->is_default[opt] = o->reads_defaults;
	o->text[opt] = arena_strdup(o->arena, text);
	if (is_file)
		add_file(o, opt, o->text[opt]);
	return NULL;
}

/* Returns OPT_MAX if there is no such option. */
static enum opt find(const char *name)
{
	int i = 0;

	while (i < OPT_MAX && strcmp(rows[i].name, name) != 0)
		i++;
	return (enum opt)i;
}

bool opts_is_early(const char *name)
{
	enum opt opt = find(name);

	return opt != OPT_MAX && rows[opt].when == WHEN_B;
}

const char *opts_unused(const char *name)
{
	enum opt opt = find(name);

	return opt == OPT_MAX ? NULL : rows[opt].unused;
}

static bool in_list(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(s, *list) == 0)
			return true;
	return false;
}

/* Parses yes as 1, no as unset, and otherwise a number. */
static bool parse_number(const char *s, uint64_t *v, bool *is_set)
{
	static const char *const yes[] = {"yes", "enable", "enabled", "true", "on", "set", NULL};
	static const char *const no[] = {"no",	"disable", "disabled", "false",
					 "off", "unset",   NULL};
	char *end;

	*is_set = true;
	*v = 0;
	if (!s)
		return true;
	if (!*s || in_list(s, no)) {
		*is_set = false;
		return true;
	}
	if (in_list(s, yes)) {
		*v = 1;
		return true;
	}
	errno = 0;
	*v = strtoull(s, &end, 0);
	return isdigit((unsigned char)*s) && !*end && !errno;
}

static bool parse_size(const char *s, uint64_t *v)
{
	static const char units[] = "kmgt";
	const char *u;
	char *end;
	int shift;

	*v = 0;
	if (!s)
		return true;
	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*v = strtoull(s, &end, 0);
	if (errno)
		return false;
	if (!*end)
		return true;
	u = strchr(units, tolower((unsigned char)*end));
	if (!u || end[1])
		return false;
	shift = 10 * (int)(u - units + 1);
	if (*v > UINT64_MAX >> shift)
		return false;
	*v <<= shift;
	return true;
}

static const char *version_reason(const struct opts *o, const char *text)
{
	uint32_t v, before;

	if (!version_parse(text, &v))
		return msg_reason(MSG_REASON_VERSION_INVALID);
	if (!version_is_known(v))
		return msg_reason(MSG_REASON_VERSION_UNSUPPORTED);
	if (o->is_set[OPT_version] && version_parse(o->text[OPT_version], &before) && v > before)
		return msg_reason(MSG_REASON_VERSION_CONFLICT);
	return NULL;
}

const char *const *opts_words(enum opt opt)
{
	static const char *const policy[] = {"switch", "fill", "ring", NULL};
	static const char *const resize[] = {"auto", "manual", NULL};
	static const char *const evaltime[] = {"exec", "preinit", "postinit", "main", NULL};
	static const char *const encoding[] = {"ascii", "utf8", NULL};
	static const char *const execute[] = {"host", "target", NULL};
	static const char *const late[] = {"dynamic", "static", NULL};
	static const char *const stdc[] = {"a", "c", "s", "t", NULL};
	static const char *const linktype[] = {"elf", "dof", NULL};
	static const char *const linkmode[] = {"kernel", "primary", "dynamic", "static", NULL};
	static const char *const dialect[] = {"illumos", "oracle", NULL};

	switch (opt) {
	case OPT_bufpolicy:
		return policy;
	case OPT_bufresize:
		return resize;
	case OPT_evaltime:
		return evaltime;
	case OPT_encoding:
		return encoding;
	case OPT_execute:
		return execute;
	case OPT_late:
		return late;
	case OPT_stdc:
		return stdc;
	case OPT_linktype:
		return linktype;
	case OPT_linkmode:
		return linkmode;
	case OPT_dialect:
		return dialect;
	default:
		return NULL;
	}
}

bool opts_has_value(enum opt opt)
{
	return rows[opt].kind != KIND_FLAG && rows[opt].kind != KIND_BOOL;
}

static bool is_word_of(enum opt opt, const char *v)
{
	const char *const *words = opts_words(opt);

	switch (opt) {
	case OPT_firefox:
	case OPT_flame:
	case OPT_folded:
	case OPT_heat:
	case OPT_pprof:
	case OPT_speedscope:
		return file_of(v) && *file_of(v);
	case OPT_html:
		return *v && *v != '@';
	case OPT_perfetto:
	case OPT_chrome:
	case OPT_ctf:
	case OPT_save:
	case OPT_ctypes:
	case OPT_dtypes:
		return *v;
	case OPT_oformat:
		return structured_is_format(v) || strcmp(v, "chrome") == 0;
	case OPT_amin:
		return lang_is_attributes(v);
	case OPT_setenv:
		return *v != '=' && strchr(v, '=');
	case OPT_target:
		return *v != '=' && strchr(v, '=');
	case OPT_targetmatch:
		return parse_target_kinds(v) != 0;
	case OPT_unsetenv:
		return *v && !strchr(v, '=');
	default:
		return !words || in_list(v, words);
	}
}

/*
 * Reads a number, or a switch: a BOOL is on unless it is unset, even at 0; for other kinds, 0 is a
 * number like others.
 */
static bool read_number(enum opt i, const char *value, uint64_t *v, bool *is_set)
{
	if (!parse_number(value, v, is_set))
		return false;
	if (rows[i].kind == KIND_BOOL)
		*v = *is_set;
	else if (!*is_set)
		*v = rows[i].initial;
	/* Options of output have type int.  Other numbers are limits, which may be larger. */
	else if (rows[i].when == WHEN_D && *v > INT_MAX)
		return false;
	return true;
}

/* Returns the reason why an option cannot have this text; NULL: it can. */
static const char *refuse_text(const struct opts *o, enum opt i, const char *value)
{
	struct stat st;

	if (!value || !is_word_of(i, value))
		return msg_reason(MSG_REASON_OPTION_VALUE);
	if (i == OPT_version)
		return version_reason(o, value);
	if (i == OPT_libdir && stat(value, &st) < 0)
		return strerror(errno);
	return i == OPT_libdir && !S_ISDIR(st.st_mode) ? strerror(ENOTDIR) : NULL;
}

const char *opts_set(struct opts *o, const char *name, const char *value)
{
	const char *bad = msg_reason(MSG_REASON_OPTION_VALUE), *why;
	bool is_set = true;
	enum opt i = find(name);
	uint64_t v = 1;

	if (i == OPT_MAX)
		return msg_reason(MSG_REASON_OPTION_NAME);
	if (o->is_active && rows[i].when != WHEN_D)
		return msg_reason(MSG_REASON_ACTIVE);
	switch (rows[i].kind) {
	case KIND_FLAG:
		if (value)
			return bad;
		break;
	case KIND_BOOL:
	case KIND_INT:
		if (!read_number(i, value, &v, &is_set))
			return bad;
		break;
	case KIND_SIZE:
		/* A string has room for its NUL at least. */
		if (!parse_size(value, &v) || (i == OPT_strsize && !v))
			return bad;
		break;
	case KIND_RATE:
		v = 0;
		if (value && !rate_parse(value, RATE_NS, &v))
			return bad;
		break;
	case KIND_FILES:
	case KIND_FILE:
	case KIND_ONCE:
		return value && is_word_of(i, value) ? set_output(o, i, value) : bad;
	case KIND_TEXT:
		why = refuse_text(o, i, value);
		if (why)
			return why;
		break;
	}
	if (i == OPT_kdefs)
		o->is_set[OPT_knodefs] = false;
	if (i == OPT_udefs)
		o->is_set[OPT_unodefs] = false;
	o->is_set[i] = is_set;
	o->num[i] = v;
	o->text[i] = value ? arena_strdup(o->arena, value) : "";
	return NULL;
}

const char *opts_text(const struct opts *o, const char *name)
{
	enum opt opt = find(name);

	if (opt == OPT_MAX)
		return NULL;
	if (rows[opt].kind >= KIND_TEXT || rows[opt].kind == KIND_FLAG)
		return o->is_set[opt] ? o->text[opt] : NULL;
	return arena_printf(o->arena, "%llu", (unsigned long long)o->num[opt]);
}
