/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signals.c: a signal that would end the program ends the run in order.
 *
 * Handlers are installed before anything is attached, so everything that is attached is also
 * detached.
 *
 * After the first signal, writes that wait for their reader continue.  The second signal interrupts
 * them.  timeout(1) signals the process and then its group, which is one request to end: signals do
 * not count as the second one until SAME_NS have passed.
 *
 * With a file of -o, SIGHUP does not end the run.  It means that the file was renamed, so a new one
 * is opened.  A SIGHUP from a terminal that has gone ends the run.  Under buffer policy ring,
 * SIGUSR1 requests a snapshot, also before the policy is known.
 */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "session/session.h"

#define SAME_NS 200000000 /* people take longer to interrupt twice */
#define TIMER	SIGRTMAX  /* SAME_NS have passed since the first signal */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2};

static volatile int seen, hangups, requests;
static bool has_file, had_terminal, has_ring;
static timer_t timer;
static volatile bool is_over; /* SAME_NS have passed, or there is no timer */

static void install(int flags);

/* A process loses /dev/tty when its terminal has hung up. */
static bool has_terminal(void)
{
	int fd = file_open("/dev/tty", O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void on_signal(int sig)
{
	if (sig == SIGHUP && has_file && has_terminal() == had_terminal) {
		hangups++;
		return;
	}
	if (sig == SIGUSR1 && has_ring) {
		requests++;
		return;
	}
	if (seen && !is_over)
		return;
	seen++;
	if (is_over)
		install(0);
	else
		timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = SAME_NS}, NULL);
}

static void on_timer(int sig)
{
	is_over = true;
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

static void on_early_request(int sig)
{
	requests++;
}

static void on_file_size(int sig)
{
}

/*
 * Catches a request that comes early, and the signal of RLIMIT_FSIZE, so that write(2) fails with
 * EFBIG.  They are caught, because commands that dtrace starts would inherit a blocked or ignored
 * signal.
 */
void signals_catch_early(void)
{
	struct sigaction sa = {.sa_handler = on_early_request, .sa_flags = SA_RESTART}, old;
	struct sigaction size = {.sa_handler = on_file_size, .sa_flags = SA_RESTART};

	if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGXFSZ, &size, NULL);

	if (sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGUSR1, &sa, NULL);
}

void signals_catch(struct session *s)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = TIMER};

	s->plan.env.signals = &seen;
	has_file = s->consume.path != NULL;
	had_terminal = has_terminal();
	has_ring = s->plan.opt.policy == PLAN_RING;
	sigaction(TIMER, &(struct sigaction){.sa_handler = on_timer, .sa_flags = SA_RESTART}, NULL);
	is_over = timer_create(CLOCK_MONOTONIC, &event, &timer) != 0;
	install(SA_RESTART);
	if (!has_ring && requests)
		on_signal(SIGUSR1);
}

int signals_seen(const struct session *s)
{
	return s->plan.env.signals ? *s->plan.env.signals : 0;
}

/* Returns true if the count has grown since the last call. */
static bool take(volatile int *count, int *taken)
{
	int n = *count;
	bool is_new = n != *taken;

	*taken = n;
	return is_new;
}

bool signals_take_hangup(void)
{
	static int taken;

	return take(&hangups, &taken);
}

bool signals_take_request(void)
{
	static int taken;

	return take(&requests, &taken);
}
