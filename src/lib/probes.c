/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.c: the probes of this machine, and their descriptions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lib/priv.h"

static void put(char *to, size_t size, const char *text)
{
	size_t n = strlen(text);

	n = n < size ? n : size - 1;
	memcpy(to, text, n);
	memset(to + n, 0, size - n);
}

void lib_put_probe(dtrace_probedesc_t *to, const struct probe *p)
{
	to->dtpd_id = p->id;
	put(to->dtpd_provider, sizeof(to->dtpd_provider), p->prov);
	put(to->dtpd_mod, sizeof(to->dtpd_mod), p->mod);
	put(to->dtpd_func, sizeof(to->dtpd_func), p->func);
	put(to->dtpd_name, sizeof(to->dtpd_name), p->name);
}

void lib_put_pattern(dtrace_probedesc_t *to, const struct pdesc *d)
{
	to->dtpd_id = d->id;
	put(to->dtpd_provider, sizeof(to->dtpd_provider), d->prov ? d->prov : "");
	put(to->dtpd_mod, sizeof(to->dtpd_mod), d->mod ? d->mod : "");
	put(to->dtpd_func, sizeof(to->dtpd_func), d->func ? d->func : "");
	put(to->dtpd_name, sizeof(to->dtpd_name), d->name ? d->name : "");
}

static const char *field(dtrace_hdl_t *h, const char *text)
{
	return *text ? arena_strdup(h->s->arena, text) : NULL;
}

/* Finds the matching probes, as for a listing. */
static bool match(dtrace_hdl_t *h, const dtrace_probedesc_t *pdp, probe_list *list)
{
	struct session *s = h->s;
	bool was_listing = s->plan.env.is_listing;
	struct pdesc d = {0};

	lib_enter(h);
	if (!lib_open_compiler(h)) {
		lib_fail(h, EDT_COMPILER);
		return false;
	}
	if (pdp)
		d = (struct pdesc){.prov = field(h, pdp->dtpd_provider),
				   .mod = field(h, pdp->dtpd_mod),
				   .func = field(h, pdp->dtpd_func),
				   .name = field(h, pdp->dtpd_name),
				   .id = pdp->dtpd_id};
	s->plan.env.is_listing = true;
	libs_load_probes(&s->compile, &d);
	probes_match(s->plan.env.probes, &d, list);
	s->plan.env.is_listing = was_listing;
	buf_reset(&h->text);
	if (!list->n)
		lib_fail(h, EDT_NOPROBE);
	return list->n > 0;
}

int dtrace_probe_iter(dtrace_hdl_t *h, const dtrace_probedesc_t *pdp, dtrace_probe_f *func,
		      void *arg)
{
	LIB_ENTER(h, -1);
	dtrace_probedesc_t desc;
	probe_list list = {0};
	int r;

	lib_enter(h);
	if (!func)
		return lib_fail(h, EINVAL);
	r = match(h, pdp, &list) ? 0 : -1;
	for (unsigned int i = 0; i < list.n && r == 0; i++) {
		lib_put_probe(&desc, list.a[i]);
		r = func(h, &desc, arg);
	}
	vec_free(&list);
	return r;
}

static const dtrace_typeinfo_t *arg_types(dtrace_hdl_t *h, struct probe *p, int *n)
{
	struct lang_args *a = probe_all_args(&h->s->plan, p);
	dtrace_typeinfo_t *t = arena_new_arr(h->s->arena, dtrace_typeinfo_t, a->nxlated + 1);

	for (unsigned int i = 0; i < a->nxlated; i++)
		t[i] =
		    (dtrace_typeinfo_t){.dtt_object = "", .dtt_type = (long)(intptr_t)a->xlated[i]};
	*n = (int)a->nxlated;
	return t;
}

int dtrace_probe_info(dtrace_hdl_t *h, const dtrace_probedesc_t *pdp, dtrace_probeinfo_t *pip)
{
	LIB_ENTER(h, -1);
	probe_list list = {0};
	struct probe *p;
	const char *attr;
	int r = -1;

	lib_enter(h);
	if (!pdp || !pip)
		return lib_fail(h, EINVAL);
	if (match(h, pdp, &list) && list.n > 1) {
		lib_fail(h, EDT_UNSTABLE);
	} else if (list.n) {
		p = list.a[0];
		attr = p->provider->attrs[0];
		for (int i = 1; i < 4; i++)
			if (*(const char *const[]){p->prov, p->mod, p->func, p->name}[i])
				attr = lang_attributes_min(h->s->plan.env.lang, attr,
							   p->provider->attrs[i]);
		*pip = (dtrace_probeinfo_t){.dtp_attr = lib_attr(attr),
					    .dtp_arga = lib_attr(p->provider->attrs[4])};
		pip->dtp_argv = arg_types(h, p, &pip->dtp_argc);
		r = 0;
	}
	vec_free(&list);
	return r;
}

int dtrace_id2desc(dtrace_hdl_t *h, dtrace_id_t id, dtrace_probedesc_t *pdp)
{
	LIB_ENTER(h, -1);
	dtrace_probedesc_t by_id = {.dtpd_id = id};
	probe_list list = {0};
	struct probe *p = NULL;

	lib_enter(h);
	if (!pdp)
		return lib_fail(h, EINVAL);
	if (lib_open_compiler(h))
		p = probe_by_id(h->s->plan.env.probes, id);
	/* The id may also belong to a probe that nothing has named yet. */
	if (!p && id && match(h, &by_id, &list))
		p = list.a[0];
	vec_free(&list);
	if (!p)
		return lib_fail(h, EDT_NOPROBE);
	lib_put_probe(pdp, p);
	return 0;
}

/* ---- descriptions as text ---- */

static bool put_field(char *to, size_t size, const char *from, size_t n)
{
	if (n >= size)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

int dtrace_str2desc(dtrace_hdl_t *h, dtrace_probespec_t spec, const char *s,
		    dtrace_probedesc_t *pdp)
{
	static const struct {
		size_t at, size;
	} fields[] = {
	    {offsetof(dtrace_probedesc_t, dtpd_provider), sizeof(pdp->dtpd_provider)},
	    {offsetof(dtrace_probedesc_t, dtpd_mod), sizeof(pdp->dtpd_mod)},
	    {offsetof(dtrace_probedesc_t, dtpd_func), sizeof(pdp->dtpd_func)},
	    {offsetof(dtrace_probedesc_t, dtpd_name), sizeof(pdp->dtpd_name)},
	};
	const char *end = s ? s + strlen(s) : NULL;

	if (h)
		lib_enter(h);
	if (!s || !pdp || spec > DTRACE_PROBESPEC_NAME)
		return h ? lib_fail(h, EINVAL) : -1;
	memset(pdp, 0, sizeof(*pdp));
	for (int i = (int)spec; spec >= DTRACE_PROBESPEC_PROVIDER && i >= 0; i--) {
		const char *from = end;

		while (from > s && from[-1] != ':')
			from--;
		if (!put_field((char *)pdp + fields[i].at, fields[i].size, from,
			       (size_t)(end - from)))
			break;
		if (from == s)
			return 0;
		end = from - 1;
	}
	return h ? lib_fail(h, EDT_BADSPEC) : -1;
}

char *dtrace_desc2str(const dtrace_probedesc_t *pdp, char *buf, size_t len)
{
	const char *prov, *mod, *func, *name;

	if (!pdp || !buf)
		return NULL;
	prov = pdp->dtpd_provider;
	mod = pdp->dtpd_mod;
	func = pdp->dtpd_func;
	name = pdp->dtpd_name;
	if (pdp->dtpd_id && !*prov && !*mod && !*func && !*name)
		snprintf(buf, len, "%u", pdp->dtpd_id);
	else
		snprintf(buf, len, "%s:%s:%s:%s", prov, mod, func, name);
	return buf;
}
