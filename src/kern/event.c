/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c: sources of perf events and their named events, from files of /sys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kern/priv.h"
#include "sys/machine.h"

#define SOURCES "/sys/bus/event_source/devices"

/* Reads the first line of a source's file, without newline.  Returns false if there is none. */
static bool read_line(struct kern *k, const char *dir, const char *file, char *line, size_t size)
{
	char path[512];
	struct buf b = {0};
	bool ok;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >= (int)sizeof(path))
		return false;
	ok = sys_read_file(k->machine, path, &b) && b.n;
	if (ok)
		snprintf(line, size, "%.*s", (int)strcspn(b.s, "\n"), b.s);
	buf_free(&b);
	return ok;
}

uint32_t kern_event_type(struct kern *k, const char *source)
{
	char line[32], dir[128];

	snprintf(dir, sizeof(dir), SOURCES "/%s", source);
	return read_line(k, dir, "type", line, sizeof(line)) ? (uint32_t)strtoul(line, NULL, 10)
							     : 0;
}

/*
 * Puts a value into the bits that a file of "format" names: "config1:0-7,32-35", lowest bits first.
 */
static bool put_value(uint64_t *config, const char *format, uint64_t value)
{
	unsigned int word = 0, used = 0;
	char *p;

	if (strncmp(format, "config", 6) != 0)
		return false;
	format += 6;
	if (*format != ':')
		word = (unsigned int)strtoul(format, &p, 10), format = p;
	if (*format != ':' || word >= KERN_EVENT_WORDS)
		return false;
	for (p = (char *)format; *p == ':' || *p == ',';) {
		unsigned long first = strtoul(p + 1, &p, 10), last = first;

		if (*p == '-')
			last = strtoul(p + 1, &p, 10);
		if (last > 63 || first > last)
			return false;
		for (; first <= last; first++, used++)
			config[word] |= (used < 64 ? value >> used & 1 : 0) << first;
	}
	return *p == '\0' && (used >= 64 || value >> used == 0);
}

/* Parses "event=0x3c,umask=0x01,edge".  A term without a value is 1. */
static bool put_terms(struct kern *k, struct kern_event *e, const char *dir, char *terms)
{
	char *save, format[128], file[64];

	for (char *t = strtok_r(terms, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		char *value = strchr(t, '=');
		uint64_t n = 1;

		if (value) {
			char *end;

			*value++ = '\0';
			n = strtoull(value, &end, 0);
			if (end == value || *end)
				return false;
		}
		snprintf(file, sizeof(file), "format/%s", t);
		if (!read_line(k, dir, file, format, sizeof(format)) ||
		    !put_value(e->config, format, n))
			return false;
	}
	return true;
}

bool kern_event_read(struct kern *k, const char *dir, const char *name, struct kern_event *e)
{
	char line[256], file[128];

	memset(e, 0, sizeof(*e));
	if (strchr(name, '/') || !read_line(k, dir, "type", line, sizeof(line)))
		return false;
	e->type = (uint32_t)strtoul(line, NULL, 10);
	snprintf(file, sizeof(file), "events/%s", name);
	return read_line(k, dir, file, line, sizeof(line)) && put_terms(k, e, dir, line);
}

/* Sources for the cores of a machine, or for its large cores if it has two kinds. */
static const char *const cores[] = {SOURCES "/cpu", SOURCES "/cpu_core", SOURCES "/armv8_pmuv3_0",
				    SOURCES "/armv8_pmuv3"};

const char *kern_event_cores(struct kern *k)
{
	char line[32];

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (read_line(k, cores[i], "type", line, sizeof(line)))
			return cores[i];
	return NULL;
}

struct names {
	void (*f)(void *ctx, const char *name);
	void *ctx;
};

/* Files NAME.scale and NAME.unit describe the printing of NAME, and are no events. */
static void add_name(void *ctx, const char *name)
{
	const struct names *n = ctx;

	if (!strchr(name, '.'))
		n->f(n->ctx, name);
}

void kern_event_names(struct kern *k, const char *dir, void (*f)(void *ctx, const char *name),
		      void *ctx)
{
	struct names n = {f, ctx};
	char path[512];

	snprintf(path, sizeof(path), "%s/events", dir);
	sys_list(k->machine, path, add_name, &n);
}
