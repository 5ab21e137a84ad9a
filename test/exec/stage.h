/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stage.h: a session whose kernel is the BPF interpreter (load/backend.h): firings are made up, and
 * tasks and registers exist as far as programs read them.
 *
 *	stage_init	of a new session, before programs and options
 *	stage_start	compiles and loads; then session_go, stage_fire ..., session_stop
 */
#ifndef TEST_EXEC_STAGE_H
#define TEST_EXEC_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "bpf/codegen.h"
#include "bpf/interp.h"
#include "session/session.h"
#include "load/simulated.h"
#include "remote/hosted.h"

#define STAGE_NCPU  4
#define STAGE_DEPTH 16 /* most frames of a stack */
#define STAGE_REGS  512

/* State that one firing sees. */
struct fire {
	const char *probe;
	uint64_t pid, tid, ppid, uid, gid, cpu, time, ret, pc, user, hold, preempt, lost;
	uint64_t args[10];
	uint64_t stacks[2][STAGE_DEPTH]; /* kernel, user */
	unsigned int nstacks[2];
	const char *comm;
};

/* The task of a thread, made when it fires first. */
struct stage_task {
	uint64_t tid;
	char *mem; /* struct task_struct */
};

struct stage {
	struct simulated sim;	/* first, because it is the backend's data */
	struct backend backend; /* where BEGIN and END see the test's state */
	struct session *s;
	const struct fire *begin, *end; /* of BEGIN and END */
	VEC(struct stage_task) tasks;
	struct session *again; /* of the same programs, if clauses run at the host */
	struct hosted hosted;
	struct hostings *hostings;
	struct consume *peers[2];
	char regs[STAGE_REGS];
	char *queue, *rq;	/* struct cfs_rq and struct rq, of all tasks; NULL: unused */
	uint32_t preempt_count; /* of the processor */
};

/* Puts a session on the interpreter; session_free frees the stage's memory. */
void stage_init(struct stage *g, struct session *s, const struct fire *begin,
		const struct fire *end);

/* Compiles, enables and loads; no_direct: kernel memory is read through helpers only.  Returns
 * false if the session has printed an error. */
bool stage_start(struct stage *g, bool no_direct);

/*
 * Does the same, with clauses at the host as far as possible.  again is a session for them with the
 * same options and programs; the stage owns it.
 */
bool stage_start_hosted(struct stage *g, struct session *again);

/* Fires a probe once; its records are consumed, unless they are held. */
void stage_fire(struct stage *g, const struct fire *f);

#endif
