/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shebang.c: see shebang.h.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cmd/shebang.h"

#define BLANKS " \t\n"

/* Reads the text that follows the interpreter's path in the first line of a script. */
static bool read_options(const char *script, char *text, int size)
{
	FILE *f = file_stream(script);
	bool ok = f && fgets(text, size, f) && strncmp(text, "#!", 2) == 0;
	char *start, *end;

	if (f)
		fclose(f);
	if (!ok)
		return false;
	start = text + strcspn(text, "/");
	start += strcspn(start, BLANKS);
	start += strspn(start, BLANKS);
	for (end = start + strlen(start); end > start && isspace((unsigned char)end[-1]); end--)
		;
	memmove(text, start, (size_t)(end - start));
	text[end - start] = '\0';
	return true;
}

void shebang_split(int *argc, char ***argv)
{
	char options[512], **split, *save = NULL;
	int n = 0;

	if (*argc < 3 || !strchr((*argv)[1], ' ') ||
	    !read_options((*argv)[2], options, sizeof(options)) || strcmp(options, (*argv)[1]) != 0)
		return;
	split = mem_alloc(((size_t)*argc + strlen(options)) * sizeof(*split));
	split[n++] = (*argv)[0];
	for (char *w = strtok_r((*argv)[1], BLANKS, &save); w; w = strtok_r(NULL, BLANKS, &save))
		split[n++] = w;
	for (int i = 2; i < *argc; i++)
		split[n++] = (*argv)[i];
	split[n] = NULL;
	*argc = n;
	*argv = split;
}
