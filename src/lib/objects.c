/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * objects.c: the kernel and its modules, as objects that contain symbols and types.
 */
#include <errno.h>
#include <string.h>

#include "base/intern.h"
#include "kern/kern.h"
#include "lib/priv.h"
#include "sys/machine.h"

typedef VEC(dtrace_objinfo_t) object_list;

/* Sets the range between two symbols of the kernel.  Symbols of data may be missing. */
static void put_range(struct kern *k, const char *from, const char *to, Elf64_Addr *addr,
		      Elf64_Xword *size)
{
	struct kern_sym first, end;

	if (kern_sym_by_name(k, "vmlinux", from, &first) &&
	    kern_sym_by_name(k, "vmlinux", to, &end) && end.addr > first.addr) {
		*addr = first.addr;
		*size = end.addr - first.addr;
	}
}

/* Names last as long as the handle, because only few different names exist. */
static void add(dtrace_hdl_t *h, object_list *list, const char *name, dtrace_objinfo_t *o)
{
	struct intern *names = h->s->plan.env.names;
	struct buf path = {0};

	buf_printf(&path, "/sys/kernel/btf/%s", name);
	o->dto_name = intern_str(names, name);
	o->dto_file = intern_str(names, sys_exists(h->s->machine, path.s) ? path.s : "");
	o->dto_id = (int)list->n;
	o->dto_flags |= DTRACE_OBJ_F_KERNEL;
	vec_push(list, *o);
	buf_free(&path);
}

static void collect(dtrace_hdl_t *h, object_list *list)
{
	struct kern *k = h->s->plan.env.kern;
	dtrace_objinfo_t kernel = {.dto_flags = DTRACE_OBJ_F_PRIMARY};
	kern_module_list modules = {0};
	struct buf text = {0};

	put_range(k, "_stext", "_etext", &kernel.dto_text_va, &kernel.dto_text_size);
	put_range(k, "_sdata", "_edata", &kernel.dto_data_va, &kernel.dto_data_size);
	put_range(k, "__bss_start", "__bss_stop", &kernel.dto_bss_va, &kernel.dto_bss_size);
	add(h, list, "vmlinux", &kernel);
	kern_modules(k, &text, &modules);
	for (unsigned int i = 0; i < modules.n; i++) {
		dtrace_objinfo_t o = {.dto_text_va = modules.a[i].addr,
				      .dto_text_size = modules.a[i].size};

		add(h, list, modules.a[i].name, &o);
	}
	vec_free(&modules);
	buf_free(&text);
}

int dtrace_object_iter(dtrace_hdl_t *h, dtrace_obj_f *func, void *arg)
{
	LIB_ENTER(h, -1);
	object_list list = {0};
	int r = 0;

	lib_enter(h);
	if (!func)
		return lib_fail(h, EINVAL);
	if (!lib_open_compiler(h))
		return lib_fail(h, EDT_COMPILER);
	collect(h, &list);
	for (unsigned int i = 0; i < list.n && r == 0; i++)
		r = func(h, &list.a[i], arg);
	vec_free(&list);
	return r;
}

int dtrace_object_info(dtrace_hdl_t *h, const char *object, dtrace_objinfo_t *dto)
{
	LIB_ENTER(h, -1);
	object_list list = {0};
	unsigned int i = 0;
	bool is_there;

	lib_enter(h);
	if (!dto || !object || object == DTRACE_OBJ_EVERY || object == DTRACE_OBJ_KMODS)
		return lib_fail(h, EINVAL);
	if (!lib_open_compiler(h))
		return lib_fail(h, EDT_COMPILER);
	collect(h, &list);
	while (i < list.n && strcmp(list.a[i].dto_name, object) != 0)
		i++;
	is_there = i < list.n;
	if (is_there)
		*dto = list.a[i];
	else
		lib_fail(h, EDT_NOMOD);
	vec_free(&list);
	return is_there ? 0 : -1;
}
