/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-libs.c: build tool that prints D libraries and their indexes as C data.
 *
 *	embed-libs LIBRARY... > dlib.c
 *
 * The same files of src/lang index libraries of -L when dtrace runs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "lang/index.h"

static void put_string(const char *s, size_t n)
{
	putchar('"');
	for (size_t i = 0; i < n; i++)
		if (s[i] == '"' || s[i] == '\\')
			printf("\\%c", s[i]);
		else if (s[i] == '\n')
			printf("\\n");
		else
			putchar(s[i]);
	putchar('"');
}

static void put_lines(const char *text)
{
	for (size_t n; *text; text += n) {
		n = strcspn(text, "\n");
		n += text[n] == '\n';
		printf("\t  ");
		put_string(text, n);
		putchar('\n');
	}
}

/* Prints a row of two strings; b may be NULL. */
static void put_row(const char *a, const char *b)
{
	printf("\t{ ");
	put_string(a, strlen(a));
	if (b) {
		printf(", ");
		put_string(b, strlen(b));
	}
	printf(" },\n");
}

static void put_index(unsigned int i, const struct lang_index *index)
{
	printf("static const struct index_name names_%u[] = {\n", i);
	for (const struct index_name *n = index->names; n->name; n++)
		put_row(n->name, n->in);
	printf("\t{ 0 }\n};\nstatic const struct index_probe probes_%u[] = {\n", i);
	for (const struct index_probe *p = index->probes; p->name; p++)
		put_row(p->prov, p->name);
	printf("\t{ 0 }\n};\nstatic const struct index_depend depends_%u[] = {\n", i);
	for (const struct index_depend *d = index->depends; d->name; d++)
		put_row(d->kind, d->name);
	printf("\t{ 0 }\n};\n");
}

static void put_library(unsigned int i, const char *path, const struct buf *text,
			const struct lang_index *index)
{
	const char *slash = strrchr(path, '/');

	printf("\t{ \"%s\",\n", slash ? slash + 1 : path);
	put_lines(text->s);
	printf("\t  , %zu, { names_%u, probes_%u, depends_%u", text->n, i, i, i);
	if (index->of_process)
		printf(", \"%s\"", index->of_process);
	printf(" } },\n");
}

/* Returns false after a message. */
static bool read_text(const char *path, struct buf *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && buf_read(text, fd);

	if (!ok)
		perror(path);
	if (fd >= 0)
		close(fd);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned int n = (unsigned int)argc - 1;
	struct arena *a = arena_new();
	struct buf *texts = arena_new_arr(a, struct buf, n);
	struct lang_index *indexes = arena_new_arr(a, struct lang_index, n);

	printf("#include \"compile/libs.h\"\n");
	for (unsigned int i = 0; i < n; i++) {
		if (!read_text(argv[i + 1], &texts[i]))
			return 1;
		indexes[i] = lang_index(a, buf_str(&texts[i]), texts[i].n);
		put_index(i, &indexes[i]);
	}
	printf("const struct dlib_file dlib_files[] = {\n");
	for (unsigned int i = 0; i < n; i++)
		put_library(i, argv[i + 1], &texts[i], &indexes[i]);
	printf("};\nconst unsigned int dlib_count = %u;\n", n);
	for (unsigned int i = 0; i < n; i++)
		buf_free(&texts[i]);
	arena_free(a);
	return 0;
}
