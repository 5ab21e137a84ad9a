/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modules.c: the loaded modules, by /proc/modules: "name size uses users state address".
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kern/priv.h"
#include "sys/machine.h"

static void add_line(char *line, kern_module_list *res)
{
	struct kern_module m = {.name = line};
	char *rest = strchr(line, ' '), *addr = strstr(line, " 0x");

	if (!rest)
		return;
	*rest = '\0';
	m.size = strtoull(rest + 1, NULL, 10);
	m.addr = addr ? strtoull(addr + 1, NULL, 16) : 0;
	vec_push(res, m);
}

void kern_modules_parse(char *text, kern_module_list *res)
{
	for (char *line = text, *next; *line; line = next) {
		size_t len = strcspn(line, "\n");

		next = line + len + (line[len] != '\0');
		line[len] = '\0';
		add_line(line, res);
	}
}

void kern_modules(struct kern *k, struct buf *text, kern_module_list *res)
{
	if (k->is_live && sys_read_file(k->machine, "/proc/modules", text) && text->n)
		kern_modules_parse(text->s, res);
}
