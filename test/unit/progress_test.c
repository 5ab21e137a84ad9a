/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress_test.c: a slow operation is shown at a terminal, and nothing is left of that; nothing is
 * shown elsewhere.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "test.h"

/* Returns the terminal's output up to this text, or all of it. */
static const char *seen(int terminal, const char *text)
{
	static char all[4096];
	struct pollfd p = {.fd = terminal, .events = POLLIN};
	size_t n = 0;

	memset(all, 0, sizeof(all));
	while (n < sizeof(all) - 1 && (!text || !strstr(all, text)) &&
	       poll(&p, 1, text ? 20000 : 0) > 0) {
		ssize_t got = read(terminal, all + n, sizeof(all) - 1 - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return all;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static void test_terminal(int terminal)
{
	const char *s;

	progress_start("dtrace");
	progress_at("attaching", 1, 3);
	s = seen(terminal, "dtrace: attaching: 1 of 3");
	CHECK(strstr(s, "dtrace: attaching: 1 of 3"));
	progress_at("reading", 0, 0);
	CHECK(strstr(seen(terminal, "reading ..."), "dtrace: reading ..."));
	progress_hide();
	CHECK(strstr(seen(terminal, "\033[K"), "\r\033[K"));
	CHECK(strstr(seen(terminal, "reading ..."), "reading ..."));
	progress_stop();
	CHECK(ends_with(seen(terminal, NULL), "\r\033[K"));
}

/* An operation that ends at once. */
static void test_short(int terminal)
{
	progress_start("dtrace");
	progress_at("attaching", 1, 3);
	progress_stop();
	progress_at("attaching", 2, 3);
	progress_hide();
	CHECK_STR(seen(terminal, NULL), "");
}

int main(void)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO), fd;

	setenv("TERM", "vt100", 1);
	grantpt(terminal);
	unlockpt(terminal);
	fd = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	dup2(fd, STDERR_FILENO);
	test_terminal(terminal);
	test_short(terminal);
	setenv("TERM", "dumb", 1);
	progress_start("dtrace");
	progress_stop();
	dup2(before, STDERR_FILENO);
	close(fd);
	close(terminal);
	close(before);
	return TEST_DONE();
}
