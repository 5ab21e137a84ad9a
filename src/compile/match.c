/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match.c: a description of a clause to its probes.  libs.c loads the libraries that declare such
 * probes, plan/probes.c finds the probes, and absent.c says why there are none.  The front end gets
 * the arguments of the probes.
 */
#include <string.h>

#include "base/arena.h"
#include "compile/compile.h"

static bool same_type_list(struct type *const *a, struct type *const *b, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool same_args(const struct lang_args *a, const struct lang_args *b)
{
	return a->nnative == b->nnative && a->nxlated == b->nxlated && a->places == b->places &&
	       same_type_list(a->native, b->native, a->nnative) &&
	       same_type_list(a->xlated, b->xlated, a->nxlated);
}

/* Room for names of later probes, because sizes are fixed before these names are known. */
#define LATER_NAME 63

/*
 * Notes whether more probes may match the description during tracing.  A loaded library gets no
 * more probes.  A pattern of processes must match probes of the provider, or none yet.
 */
static void ask_later(struct compile *comp, const struct pdesc *d, struct clause_probes *cp)
{
	bool names_mod = d->mod && *d->mod && !strpbrk(d->mod, "*?[");
	uint32_t pid;

	for (unsigned int i = 0; i < provider_count && !cp->follower; i++) {
		const struct provider *pv = provider_table[i];
		bool has_one = !cp->list.n;

		if (!pv->comes_later || !pv->comes_later(d, &pid))
			continue;
		for (unsigned int j = 0; j < cp->list.n; j++)
			has_one |= cp->list.a[j]->provider == pv;
		if (pid ? names_mod && cp->list.n : !has_one)
			continue;
		cp->follower = pv;
		plan_name_room(comp->plan, LATER_NAME);
		cp->later_pid = pid;
	}
}

struct clause_probes *compile_match(struct compile *comp, const struct pdesc *d)
{
	struct clause_probes *cp = arena_new_obj(comp->arena, struct clause_probes);
	probe_list list = {0};

	probes_match(comp->plan->env.probes, d, &list);
	cp->list.a = arena_new_arr(comp->arena, struct probe *, list.n + 1);
	cp->list.n = cp->list.cap = list.n;
	for (unsigned int i = 0; i < list.n; i++)
		cp->list.a[i] = list.a[i];
	vec_free(&list);
	ask_later(comp, d, cp);
	return cp;
}

/*
 * The maximum number of probes whose argument types are compared.  More are assumed to differ,
 * because comparing them costs more than the run (a file per system call).  Providers with equal
 * types for all probes are exempt.
 */
#define COMPARE_MAX 32

static bool all_differ(const struct clause_probes *cp)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < cp->list.n; i++)
		n += !cp->list.a[i]->provider->has_same_args;
	return n > COMPARE_MAX;
}

static void number_probes(struct compile *comp, struct clause_probes *cp)
{
	cp->epid_base = comp->plan->next_epid;
	comp->plan->next_epid += vec_last(&cp->list)->id - cp->list.a[0]->id + 1;
}

/* dlib/kernel.d, dlib/net.d */
#define THREAD_IN_SCOPE "thread_in_scope"
#define PACKET_IN_SCOPE "packet_in_scope"
#define SOCKET_IN_SCOPE "socket_in_scope"

bool match_probes(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		  const char **err)
{
	struct compile *comp = ctx;
	unsigned int nerrors = comp->diags.n;
	struct clause_probes *cp;
	struct lang_args *first;

	*err = NULL;
	if (comp->plan->opt.scope)
		libs_want_name(comp, THREAD_IN_SCOPE);
	if (comp->plan->opt.scope && d->prov && probe_glob(d->prov, "cgroup"))
		libs_want_name(comp, SOCKET_IN_SCOPE);
	if (!libs_load_probes(comp, d))
		return false;
	cp = compile_match(comp, d);
	*handle = cp;
	if (comp->diags.n > nerrors)
		return false;
	memset(args, 0, sizeof(*args));
	if (!cp->list.n) {
		*err = compile_absent(comp, d);
		if (!*err)
			*err = compile_nearest(comp, d);
		return true;
	}
	number_probes(comp, cp);
	first = probe_args(comp->plan, cp->list.a[0]);
	*args = *first;
	args->nprobes = cp->list.n;
	args->is_multi = all_differ(cp);
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi && !args->is_late; i++)
		args->is_multi = !same_args(first, probe_args(comp->plan, cp->list.a[i]));
	return true;
}

void match_late_args(void *ctx, const void *handle, struct lang_args *args)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	bool is_multi = args->is_multi;
	const struct lang_args *first;

	args->is_late = false;
	if (is_multi)
		return;
	first = probe_all_args(comp->plan, cp->list.a[0]);
	*args = *first;
	args->nprobes = cp->list.n;
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi; i++)
		args->is_multi = !same_args(first, probe_all_args(comp->plan, cp->list.a[i]));
}

/* Returns true if these are functions of processes, and all have one name. */
static bool has_one_name(const struct clause_probes *cp)
{
	const struct probe *first = cp->list.a[0];

	for (unsigned int i = 0; i < cp->list.n; i++) {
		const struct probe *p = cp->list.a[i];

		if (!p->provider || !p->provider->late_args || strcmp(p->func, first->func) != 0 ||
		    strcmp(p->name, first->name) != 0)
			return false;
	}
	return true;
}

bool match_split(void *ctx, const void *handle, const void **same, const void **rest)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	struct clause_probes *parts[2];
	const struct lang_args *first;

	if (!has_one_name(cp))
		return false;
	first = probe_all_args(comp->plan, cp->list.a[0]);
	for (unsigned int i = 0; i < 2; i++) {
		parts[i] = arena_new_obj(comp->arena, struct clause_probes);
		parts[i]->list.a = arena_new_arr(comp->arena, struct probe *, cp->list.n);
		parts[i]->list.cap = cp->list.n;
	}
	parts[0]->follower = cp->follower;
	parts[0]->later_pid = cp->later_pid;
	for (unsigned int i = 0; i < cp->list.n; i++) {
		bool differs = !same_args(first, probe_all_args(comp->plan, cp->list.a[i]));

		vec_push(&parts[differs]->list, cp->list.a[i]);
	}
	if (!parts[1]->list.n)
		return false;
	number_probes(comp, parts[0]);
	number_probes(comp, parts[1]);
	*same = parts[0];
	*rest = parts[1];
	return true;
}

void match_split_args(void *ctx, const void *handle, struct lang_args *args)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	const struct lang_args *first = probe_all_args(comp->plan, cp->list.a[0]);

	*args = *first;
	args->nprobes = cp->list.n;
	for (unsigned int i = 1; i < cp->list.n && !args->is_multi; i++)
		args->is_multi = !same_args(first, probe_all_args(comp->plan, cp->list.a[i]));
}

const char *match_no_return(void *ctx, const void *handle)
{
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	const char *why = NULL;

	for (unsigned int i = 0; !why && i < cp->list.n; i++) {
		struct probe *p = cp->list.a[i];

		why = p->provider && p->provider->no_return
			  ? p->provider->no_return(comp->plan, p)
			  : arena_printf(comp->arena, "%s:%s:%s:%s is not an entry probe of fbt",
					 p->prov, p->mod, p->func, p->name);
	}
	return why;
}

/*
 * Option cgroup: returns the variable that guards a clause.  Clauses of network providers have
 * none, because their sites compare the cgroup of the socket.  Clauses without a thread of their
 * own, such as tick, have none either.
 */
const char *match_guard(void *ctx, const void *handle)
{
	static const char *const without[] = {"dtrace", "ip",  "iter", "mib",
					      "sctp",	"tcp", "udp",  "udplite"};
	struct compile *comp = ctx;
	const struct clause_probes *cp = handle;
	const struct probe *p = comp->plan->opt.scope && cp->list.n ? cp->list.a[0] : NULL;

	if (!p || strncmp(p->name, "tick-", 5) == 0)
		return NULL;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (strcmp(p->prov, without[i]) == 0)
			return NULL;
	if (strcmp(p->prov, "cgroup") == 0)
		return strcmp(p->mod, "skb") == 0 ? PACKET_IN_SCOPE : SOCKET_IN_SCOPE;
	return THREAD_IN_SCOPE;
}
