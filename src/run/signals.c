/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signals.c: what ends a program, ends a run in order.
 *
 * They have handlers before anything is attached, so that it ends when all is taken back.
 *
 * Output that waits for its reader goes on after the first signal.  The second one ends that, too.
 */
#include <signal.h>
#include <stddef.h>

#include "run/session.h"

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2};

static volatile int seen;

static void install(int flags);

static void on_signal(int sig)
{
	seen++;
	install(0);
}

static void install(int flags)
{
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		struct sigaction sa = {.sa_handler = on_signal, .sa_flags = flags}, old;

		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &sa, NULL);
	}
}

void signals_catch(struct session *s)
{
	s->plan.signals = &seen;
	install(SA_RESTART);
}

int signals_seen(const struct session *s)
{
	return s->plan.signals ? *s->plan.signals : 0;
}
