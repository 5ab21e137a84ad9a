/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume_test.c: requests of actions to the consumer, which is simulated here: no session is
 * needed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "print/fmt.h"
#include "outmem.h"
#include "plan/consumer.h"
#include "test.h"

/* The last request. */
static struct {
	char text[256];
	int status;
	FILE *reopened;
	int64_t n;
} asked;

/* Where output of pcap() goes; NULL: to standard output. */
static FILE *packets;

static struct capture capture;

static void note(struct consumer *c, const char *text)
{
	snprintf(asked.text, sizeof(asked.text), "%s", text);
}

static void note_exit(struct consumer *c, int status)
{
	asked.status = status;
}

static const char *note_setopt(struct consumer *c, const char *name, const char *value)
{
	return strcmp(name, "nosuch") == 0 ? "no such option" : NULL;
}

static FILE *get_packets(const struct consumer *c)
{
	return packets;
}

static FILE *get_output(const struct consumer *c)
{
	return outmem.f;
}

static struct capture *get_capture(const struct consumer *c)
{
	return &capture;
}

static void note_reopen(struct consumer *c, FILE *f)
{
	asked.reopened = f;
}

static void note_agg(struct consumer *c, struct ident *agg, int64_t n)
{
	asked.n = n;
}

static const struct consumer_ops ops = {.message = note,
					.error = note,
					.exit = note_exit,
					.setopt = note_setopt,
					.reopened = get_packets,
					.original = get_output,
					.capture = get_capture,
					.reopen = note_reopen,
					.trunc = note_agg,
					.normalize = note_agg};

static struct arena *arena;

/* Lets an action consume n values, with a format if it has one. */
static void consume(const char *name, const char *format, const struct value *v, unsigned int n)
{
	struct consumer c = {.ops = &ops, .out = &outmem.o};
	struct ident *agg = NULL;
	struct rec_act act = {.name = name, .n = n, .aggs = &agg, .naggs = 1};
	const char *err;

	if (format)
		act.fmt = fmt_parse(arena, format, &err);
	for (const struct lang_row *const *t = builtin_tables; *t; t++)
		for (const struct lang_row *r = *t; r->name; r++)
			if (r->kind == IDENT_ACTION && strcmp(r->name, name) == 0)
				act.impl = r->impl;
	act.impl->consume(&c, &act, v);
}

static struct value num(const int64_t *n)
{
	return (struct value){.kind = VALUE_INT, .size = 8, .is_signed = true, .data = n, .len = 8};
}

static struct value str(const char *s)
{
	return (struct value){.kind = VALUE_STR, .data = s, .len = (uint32_t)strlen(s) + 1};
}

static void test_control(void)
{
	int64_t three = 3;
	struct value v[] = {str("nosuch"), str("1")}, n = num(&three);

	consume("exit", NULL, &n, 1);
	CHECK_INT(asked.status, 3);
	consume("setopt", NULL, v, 2);
	CHECK_STR(asked.text, "couldn't set option \"nosuch\" to \"1\": no such option");
	consume("setopt", NULL, v, 1);
	CHECK_STR(asked.text, "couldn't set option \"nosuch\" to \"\": no such option");
}

static void test_files(void)
{
	struct value v = str("nosuch/file");

	asked.reopened = stderr;
	consume("freopen", "", NULL, 0);
	CHECK(asked.reopened == NULL);
	consume("freopen", "/dev/%s", &(struct value){.kind = VALUE_STR, .data = "null", .len = 5},
		1);
	CHECK(asked.reopened != NULL);
	fclose(asked.reopened);
	asked.reopened = NULL;
	consume("freopen", "/%s", &v, 1);
	CHECK_STR(asked.text,
		  "failed to open output file '/nosuch/file': No such file or directory");
	CHECK(asked.reopened == NULL);
}

static void test_aggregations(void)
{
	int64_t five = 5;
	struct value n = num(&five);

	consume("trunc", NULL, &n, 1);
	CHECK_INT(asked.n, 5);
	consume("trunc", NULL, NULL, 0);
	CHECK_INT(asked.n, 0);
	consume("normalize", NULL, &n, 1);
	CHECK_INT(asked.n, 5);
	consume("denormalize", NULL, NULL, 0);
	CHECK_INT(asked.n, 1);
}

static void test_text(void)
{
	int64_t three = 3;
	struct value n = num(&three);

	consume("printf", "<%d>", &n, 1);
	CHECK_STR(outmem_text(), "<3>");
	consume("cat", "/proc/sys/kernel/ostype", NULL, 0);
	CHECK_STR(outmem_text(), "Linux\n");
}

/* Returns the name of a new file with this text. */
static const char *new_file(const char *text)
{
	static char name[40];
	int fd;

	strcpy(name, "/tmp/consume_test.XXXXXX");
	fd = mkstemp(name);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	return name;
}

static void test_cat(void)
{
	char text[5000], want[120];
	const char *name = new_file("x");

	consume("cat", name, NULL, 0);
	CHECK_STR(outmem_text(), "x");
	unlink(name);
	memset(text, 'y', sizeof(text));
	text[4097] = '\0';
	name = new_file(text);
	consume("cat", name, NULL, 0);
	CHECK_STR(outmem_text(), text);
	unlink(name);
	snprintf(want, sizeof(want), "could not read '%s': No such file or directory", name);
	consume("cat", name, NULL, 0);
	CHECK_STR(asked.text, want);
}

/* A command runs after the output so far has been written. */
static void test_system(void)
{
	char command[100], text[20] = "";
	const char *name = new_file("");
	int64_t seven = 7;
	struct value n = num(&seven);
	FILE *f;

	snprintf(command, sizeof(command), "echo %%d > %s", name);
	consume("system", command, &n, 1);
	f = fopen(name, "re");
	CHECK(f && fgets(text, sizeof(text), f));
	CHECK_STR(text, "7\n");
	fclose(f);
	unlink(name);
}

static void test_ftruncate(void)
{
	const char *name = new_file("old text");

	packets = fopen(name, "re+");
	CHECK(packets && fseek(packets, 0, SEEK_END) == 0);
	consume("ftruncate", NULL, NULL, 0);
	CHECK_INT(ftell(packets), 0);
	CHECK(fputs("new", packets) >= 0 && fflush(packets) == 0);
	CHECK(fseek(packets, 0, SEEK_END) == 0);
	CHECK_INT(ftell(packets), 3);
	fclose(packets);
	packets = NULL;
	unlink(name);
}

/* A file has one header.  A packet is as long as it was kept, and never longer than its buffer. */
static void test_pcap(void)
{
	static const uint32_t want[] = {
	    0xa1b23c4d, 0x00040002, 0,		0, 262144, 12, 1700000001, 999999999, 4,
	    60,		0x64636261, 1700000002, 5, 8,	   70, 0x64636261, 0x68676665};
	int64_t first[] = {1700000001999999999, 12, 60, 4},
		second[] = {1700000002000000005, 12, 70, 9};
	struct value v[5];
	char *text;
	size_t n;

	packets = open_memstream(&text, &n);
	capture = (struct capture){0};
	v[4] = (struct value){.kind = VALUE_BYTES, .data = "abcdefgh", .len = 8};
	for (unsigned int i = 0; i < 4; i++)
		v[i] = num(&first[i]);
	consume("pcap", NULL, v, 5);
	for (unsigned int i = 0; i < 4; i++)
		v[i] = num(&second[i]);
	consume("pcap", NULL, v, 5);
	fclose(packets);
	packets = NULL;
	CHECK(n == sizeof(want) && memcmp(text, want, n) == 0);
	free(text);
	consume("pcap", NULL, v, 5);
	CHECK(strstr(outmem_text(), "abcdefgh") != NULL);
}

/* Opens the file of packets, writes one of this type, and returns the size of the file. */
static long write_packet(const char *path, int64_t type)
{
	int64_t numbers[] = {0, type, 60, 4};
	struct value v[5] = {[4] = {.kind = VALUE_BYTES, .data = "abcd", .len = 4}};
	long size;

	for (unsigned int i = 0; i < 4; i++)
		v[i] = num(&numbers[i]);
	packets = fopen(path, "ae");
	capture = (struct capture){0};
	asked.text[0] = '\0';
	consume("pcap", NULL, v, 5);
	size = ftell(packets);
	fclose(packets);
	packets = NULL;
	return size;
}

/* A file that is opened again has one header; packets of another kind do not get there. */
static void test_pcap_again(void)
{
	char path[] = "/tmp/consume_test.XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");

	CHECK_INT(write_packet(path, 12), 24 + 20);
	CHECK_INT(write_packet(path, 12), 24 + 20 + 20);
	CHECK_STR(asked.text, "");
	write_packet(path, 1);
	CHECK(strstr(asked.text, "other contents than packets of this link type"));
	CHECK_INT(write_packet(path, 12), 24 + 20 + 20 + 20);
	CHECK_INT(ftruncate(fileno(f), 0), 0);
	CHECK_INT(write_packet(path, 1), 24 + 20);
	CHECK_INT(ftruncate(fileno(f), 0), 0);
	fputs("text of a printf() before, longer than a header", f);
	fclose(f);
	write_packet(path, 1);
	CHECK(strstr(asked.text, "other contents"));
	unlink(path);
}

int main(void)
{
	arena = arena_new();
	outmem_start();
	test_control();
	test_files();
	test_aggregations();
	test_text();
	test_pcap();
	test_pcap_again();
	test_cat();
	test_system();
	test_ftruncate();
	outmem_end();
	arena_free(arena);
	return TEST_DONE();
}
