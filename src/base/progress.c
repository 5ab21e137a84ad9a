/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.c: see progress.h.  One lock protects everything.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"

#define FIRST_MS 1000
#define NEXT_MS	 200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool runs, ends, is_shown;
static const char *prog, *what;
static unsigned long done, all;

static void hide(void)
{
	if (is_shown)
		dprintf(STDERR_FILENO, "\r\033[K");
	is_shown = false;
}

static void show(void)
{
	hide();
	if (!what)
		return;
	if (all)
		dprintf(STDERR_FILENO, "%s: %s: %lu of %lu", prog, what, done, all);
	else
		dprintf(STDERR_FILENO, "%s: %s ...", prog, what);
	is_shown = true;
}

static struct timespec after(unsigned int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms % 1000 * 1000000L;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *tell(void *arg)
{
	struct timespec due = after(FIRST_MS);

	pthread_mutex_lock(&lock);
	while (!ends) {
		if (pthread_cond_timedwait(&ended, &lock, &due) == 0)
			continue;
		show();
		due = after(NEXT_MS);
	}
	hide();
	pthread_mutex_unlock(&lock);
	return NULL;
}

void progress_start(const char *progname)
{
	const char *term = getenv("TERM");

	if (runs || !term || strcmp(term, "dumb") == 0 || !isatty(STDERR_FILENO))
		return;
	prog = progname;
	what = NULL;
	ends = false;
	runs = pthread_create(&thread, NULL, tell, NULL) == 0;
}

void progress_stop(void)
{
	if (!runs)
		return;
	pthread_mutex_lock(&lock);
	ends = true;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	runs = false;
}

void progress_at(const char *now, unsigned long n, unsigned long of)
{
	if (!runs)
		return;
	pthread_mutex_lock(&lock);
	what = now;
	done = n;
	all = of;
	pthread_mutex_unlock(&lock);
}

void progress_hide(void)
{
	if (!runs)
		return;
	pthread_mutex_lock(&lock);
	hide();
	pthread_mutex_unlock(&lock);
}
