/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.c: finds targets in options and files, and guests of QEMU by their command lines.  libvirt
 * writes ports in another way than people do.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "config/report.h"
#include "sys/machine.h"
#include "remote/agent.h"
#include "remote/channel.h"
#include "remote/find.h"

void find_option(const char *text, find_found *f, void *ctx)
{
	const char *eq = strchr(text, '=');
	char *name = strndup(text, (size_t)(eq - text));

	f(ctx, name, eq + 1);
	free(name);
}

/* ---- files ---- */

static void read_line(const struct report *report, const char *path, unsigned int n, char *line,
		      find_found *f, void *ctx)
{
	line[strcspn(line, "\n")] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return;
	if (*line == '=' || !strchr(line, '='))
		report_error(report, "%s: line %u: expected NAME=CHANNEL", path, n);
	else
		find_option(line, f, ctx);
}

void find_files(const struct report *report, const char *dir, find_found *f, void *ctx)
{
	struct buf pattern = {0};
	char line[4096];
	glob_t g = {0};

	buf_printf(&pattern, "%s/*", dir);
	if (glob(pattern.s, 0, NULL, &g) != 0)
		g.gl_pathc = 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		FILE *file = file_stream(g.gl_pathv[i]);

		for (unsigned int n = 1; file && fgets(line, sizeof(line), file); n++)
			read_line(report, g.gl_pathv[i], n, line, f, ctx);
		if (file)
			fclose(file);
	}
	globfree(&g);
	buf_free(&pattern);
}

/* ---- guests ---- */

/* Returns the value of a key in "first,key=value,...", to be freed; or NULL. */
static char *value_of(const char *option, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = option; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (strncmp(p, key, len) == 0 && p[len] == '=')
			return strndup(p + len + 1, strcspn(p + len + 1, ","));
	return NULL;
}

static bool has_value(const char *option, const char *key, const char *value)
{
	char *v = value_of(option, key);
	bool is_equal = v && strcmp(v, value) == 0;

	free(v);
	return is_equal;
}

/* Returns the next value of an option in a command line, and moves *at past it. */
static const char *next_option(const struct buf *line, const char *option, size_t *at)
{
	while (*at < line->n) {
		const char *arg = line->s + *at;

		*at += strlen(arg) + 1;
		if (strcmp(arg, option) == 0 && *at < line->n)
			return line->s + *at;
	}
	return NULL;
}

/* "-name web,debug-threads=on" or "-name guest=web,..."; otherwise the number of the process. */
static char *guest_name(const struct buf *line, const char *pid)
{
	size_t at = 0;
	const char *option = next_option(line, "-name", &at);
	char *name = option ? value_of(option, "guest") : NULL, *text;

	if (name || option)
		return name ? name : strndup(option, strcspn(option, ","));
	return asprintf(&text, "qemu-%s", pid) < 0 ? NULL : text;
}

/* Returns the path of the socket of a character device, to be freed. */
static char *socket_of(const struct buf *line, const char *chardev)
{
	const char *option;
	size_t at = 0;

	while ((option = next_option(line, "-chardev", &at)) != NULL)
		if (strncmp(option, "socket,", 7) == 0 && has_value(option, "id", chardev))
			return value_of(option, "path");
	return NULL;
}

/* Arguments of find_guests. */
struct guests {
	const struct report *report; /* NULL: report nothing */
	find_found *found;
	void *ctx;
};

static void found_socket(const struct guests *g, const char *name, const char *path)
{
	struct buf channel = {0};

	buf_printf(&channel, "guest:%s", path);
	g->found(g->ctx, name, channel.s);
	buf_free(&channel);
}

/* Any user can start a process whose command line shows a port of our name. */
static void found_port(const struct guests *g, const char *pid, uid_t uid, char *name,
		       const char *path)
{
	buf_clean(name);
	if (channel_is_trusted(uid))
		found_socket(g, name, path);
	else if (g->report)
		report_error(g->report,
			     "ignoring guest %s of process %s: it belongs to user %u; to trust it, "
			     "write NAME=unix:PATH into a file in " TARGETS_DIR,
			     name, pid, (unsigned int)uid);
}

static void look_at(const struct guests *g, const char *pid, uid_t uid, const struct buf *line)
{
	const char *option;
	size_t at = 0;

	while ((option = next_option(line, "-device", &at)) != NULL) {
		char *chardev, *path, *name;

		if (strncmp(option, "virtserialport", 14) != 0 ||
		    !has_value(option, "name", AGENT_PORT_NAME))
			continue;
		chardev = value_of(option, "chardev");
		path = chardev ? socket_of(line, chardev) : NULL;
		name = guest_name(line, pid);
		if (path && name)
			found_port(g, pid, uid, name, path);
		free(name);
		free(path);
		free(chardev);
	}
}

/*
 * libvirt passes sockets to QEMU as descriptors: .../domain-3-web/org.dtrace.agent.0, or 3-web.
 * Before 2023 they were below /var/lib (libvirt commit "qemu: Place channel target dir into state
 * dir").
 */
static void find_libvirt(const struct guests *guests)
{
	glob_t g = {0};

	glob("/var/lib/libvirt/qemu/channel/target/*/" AGENT_PORT_NAME, 0, NULL, &g);
	glob("/run/libvirt/qemu/channel/*/" AGENT_PORT_NAME, GLOB_APPEND, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		char *dir =
		    strndup(g.gl_pathv[i], strlen(g.gl_pathv[i]) - strlen("/" AGENT_PORT_NAME));
		char *name = strrchr(dir, '/') + 1;

		name += strncmp(name, "domain-", 7) == 0 ? 7 : 0;
		name += strspn(name, "0123456789");
		name += *name == '-';
		buf_clean(name);
		found_socket(guests, name, g.gl_pathv[i]);
		free(dir);
	}
	globfree(&g);
}

void find_guests(const struct report *report, find_found *f, void *ctx)
{
	const struct guests guests = {.report = report, .found = f, .ctx = ctx};
	DIR *dir = opendir("/proc");
	struct dirent *e;
	char path[300];

	while (dir && (e = readdir(dir)) != NULL) {
		struct buf line = {0};
		struct stat st;
		int fd = -1;

		if (isdigit((unsigned char)e->d_name[0])) {
			snprintf(path, sizeof(path), "/proc/%s/cmdline", e->d_name);
			fd = file_open(path, O_RDONLY);
		}
		if (fd >= 0 && fstat(fd, &st) == 0 && buf_read(&line, fd) && line.n &&
		    strstr(line.s, "qemu"))
			look_at(&guests, e->d_name, st.st_uid, &line);
		if (fd >= 0)
			close(fd);
		buf_free(&line);
	}
	if (dir)
		closedir(dir);
	find_libvirt(&guests);
}

/* ---- names ---- */

/* Returns the first line of a file, or NULL. */
static const char *first_line(struct machine *m, struct arena *a, const char *path)
{
	struct buf b = {0};
	char *line = NULL;

	if (sys_read_file(m, path, &b) && b.n) {
		line = arena_strndup(a, b.s, strcspn(b.s, "\n"));
		buf_clean(line);
	}
	buf_free(&b);
	return line;
}

/* Returns the value of KEY=value or KEY="value" in os-release(5), or NULL. */
static const char *setting(struct arena *a, const char *text, const char *key)
{
	size_t len = strlen(key);
	char *value;

	for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (strncmp(p, key, len) == 0 && p[len] == '=') {
			p += len + 1;
			p += *p == '"';
			value = arena_strndup(a, p, strcspn(p, "\"\n"));
			buf_clean(value);
			return value;
		}
	return NULL;
}

/* Returns a name like "Debian-13": the first word of the name, and the version. */
static const char *os_name(struct machine *m, struct arena *a)
{
	const char *name, *version;
	struct buf b = {0};

	if (!sys_read_file(m, "/etc/os-release", &b))
		sys_read_file(m, "/usr/lib/os-release", &b);
	name = setting(a, buf_str(&b), "NAME");
	version = setting(a, buf_str(&b), "VERSION_ID");
	buf_free(&b);
	if (!name)
		return NULL;
	name = arena_strndup(a, name, strcspn(name, " "));
	return version ? arena_printf(a, "%s-%s", name, version) : name;
}

void find_names(struct machine *m, struct arena *a, const char *name, struct target_names *names)
{
	const char *release = first_line(m, a, "/proc/sys/kernel/osrelease");

	names->a[TARGET_NAME] = name;
	names->a[TARGET_HOST] = first_line(m, a, "/proc/sys/kernel/hostname");
	names->a[TARGET_OS] = os_name(m, a);
	names->a[TARGET_KERNEL] = release ? arena_printf(a, "Linux-%s", release) : NULL;
}
