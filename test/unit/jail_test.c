/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jail_test.c: abilities of a reader in a jail, and how its faults look from outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/torture.h"
#include "proc/jail.h"
#include "test.h"

static int begun;
static volatile char *nowhere;

static void begin(void *ctx)
{
	begun = 1;
}

/* The question is a letter; the answer to most is an error number. */
static void answer(void *ctx, const void *question, size_t n, struct buf *to)
{
	char what = n ? *(const char *)question : '\0', c;
	bool ok = true;

	errno = 0;
	switch (what) {
	case 'b':
		buf_printf(to, "%d %s", begun, (const char *)ctx);
		return;
	case 'o':
		ok = open("/dev/null", O_RDONLY) >= 0;
		break;
	case 'n':
		ok = open("/nowhere", O_RDONLY) >= 0;
		break;
	case 's':
		ok = socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
		break;
	case 'f':
		ok = fork() >= 0;
		break;
	case 'k':
		ok = kill(getppid(), 0) == 0;
		break;
	case 'x':
		ok = execl("/bin/true", "true", NULL) == 0;
		break;
	case '0': /* the descriptors of the parent are gone */
		ok = read(0, &c, 1) >= 0;
		break;
	case 'm': {
		void *p = malloc(2UL << 30);

		ok = p != NULL;
		free(p);
		break;
	}
	case 'l':
		buf_pad(to, 'x', 65UL << 20);
		return;
	case 'L':
		buf_pad(to, 'x', 60UL << 20);
		return;
	case 'c':
		*nowhere = 1;
		break;
	case 't':
		for (;;)
			nowhere = NULL;
	default:
		return;
	}
	buf_printf(to, "%s", ok ? "done" : strerrorname_np(errno));
}

static const struct jail_reader reader = {begin, answer, .ctx = "context", .seconds = 1};

static const char *ask(struct jail *j, const char *question, struct buf *b)
{
	return jail_ask(j, question, strlen(question), b) ? buf_str(b) : "none";
}

static void check_walls(void)
{
	struct jail *j = jail_new(&reader);
	struct buf b = {0};

	CHECK(!jail_error(j));
	CHECK_STR(ask(j, "b", &b), "1 context");
	CHECK_INT(begun, 0);
	CHECK_STR(ask(j, "open", &b), "EPERM");
	CHECK_STR(ask(j, "socket", &b), "EPERM");
	CHECK_STR(ask(j, "fork", &b), "EPERM");
	CHECK_STR(ask(j, "kill", &b), "EPERM");
	CHECK_STR(ask(j, "x", &b), "EPERM");
	CHECK_STR(ask(j, "0", &b), "EBADF");
	/* Address sanitizer ends the program instead. */
	if (!TORTURE_OR(true, false))
		CHECK_STR(ask(j, "m", &b), "ENOMEM");
	CHECK_STR(ask(j, "", &b), "");
	CHECK(!jail_error(j));
	jail_free(j);
	buf_free(&b);
}

static int open_one(void *ctx, const char *path)
{
	return strcmp(path, "/dev/null") == 0 ? open("/dev/zero", O_RDONLY | O_CLOEXEC) : -1;
}

static void check_files(void)
{
	struct jail_reader opens = reader;
	struct buf b = {0};
	struct jail *j;

	opens.open = open_one;
	j = jail_new(&opens);
	CHECK_STR(ask(j, "open", &b), "done");
	CHECK_STR(ask(j, "none", &b), "ENOENT");
	CHECK_STR(ask(j, "b", &b), "1 context");
	CHECK_STR(ask(j, "socket", &b), "EPERM");
	jail_free(j);
	buf_free(&b);
}

/* After a fault there is no answer, and the reason remains. */
static void check_fault(const char *question, const char *why)
{
	struct jail *j = jail_new(&reader);
	struct buf b = {0};

	CHECK_STR(ask(j, "b", &b), "1 context");
	for (int i = 0; i < 5 && !jail_error(j); i++)
		ask(j, question, &b);
	CHECK_STR(jail_error(j), why);
	CHECK_STR(ask(j, "b", &b), "none");
	CHECK_INT(b.n, 0);
	jail_free(j);
	buf_free(&b);
}

/* A jail outlives the signals that a terminal sends to all. */
static void check_signals(void)
{
	struct jail *j;
	struct buf b = {0};
	pid_t group = getpgrp();

	setpgid(0, 0);
	j = jail_new(&reader);
	CHECK_STR(ask(j, "b", &b), "1 context");
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGINT);
	kill(0, SIGTERM);
	CHECK_STR(ask(j, "b", &b), "1 context");
	setpgid(0, group);
	jail_free(j);
	buf_free(&b);
}

int main(void)
{
	check_walls();
	check_files();
	check_fault("crash", "the reader process has ended early");
	check_fault("time", "reading the file takes too long");
	check_fault("long", "the reader process sent too much data");
	check_fault("LONG", "the reader process sent too much data");
	check_signals();
	jail_free(NULL);
	return TEST_DONE();
}
