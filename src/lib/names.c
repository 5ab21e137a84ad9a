/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c: names of addresses, types, faults and stabilities.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/intern.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "lib/priv.h"
#include "print/msg.h"
#include "print/value.h"
#include "type/type.h"

/* ---- addresses ---- */

/* Returns a copy that is valid until the next one. */
static const char *keep(dtrace_hdl_t *h, unsigned int i, const char *text)
{
	mem_free(h->name_copies[i]);
	h->name_copies[i] = mem_strdup(text);
	return h->name_copies[i];
}

static int put_symbol(dtrace_hdl_t *h, const struct kern_sym *sym, GElf_Sym *symp,
		      dtrace_syminfo_t *sip)
{
	if (symp)
		*symp = (GElf_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				   .st_shndx = SHN_ABS,
				   .st_value = sym->addr,
				   .st_size = sym->size};
	if (sip) {
		sip->dts_object = keep(h, 0, sym->module);
		sip->dts_name = keep(h, 1, sym->name);
		sip->dts_id = 0;
	}
	return 0;
}

int dtrace_lookup_by_addr(dtrace_hdl_t *h, uint64_t addr, GElf_Sym *symp, dtrace_syminfo_t *sip)
{
	LIB_ENTER(h, -1);
	struct kern_sym sym;

	lib_enter(h);
	if (!lib_open_compiler(h) || !kern_sym_by_addr(h->s->plan.env.kern, addr, &sym))
		return lib_fail(h, EDT_NOSYMADDR);
	return put_symbol(h, &sym, symp, sip);
}

int dtrace_lookup_by_name(dtrace_hdl_t *h, const char *object, const char *name, GElf_Sym *symp,
			  dtrace_syminfo_t *sip)
{
	LIB_ENTER(h, -1);
	bool is_any = object == DTRACE_OBJ_EVERY || object == DTRACE_OBJ_KMODS || !object;
	struct kern_sym sym;

	lib_enter(h);
	if (!name)
		return lib_fail(h, EINVAL);
	if (!lib_open_compiler(h) ||
	    !kern_sym_by_name(h->s->plan.env.kern, is_any ? NULL : object, name, &sym))
		return lib_fail(h, EDT_NOSYM);
	return put_symbol(h, &sym, symp, sip);
}

static int copy_out(struct buf *b, char *buf, int n)
{
	int len = (int)b->n;

	if (buf && n > 0)
		snprintf(buf, (size_t)n, "%s", buf_str(b));
	buf_free(b);
	return len;
}

int dtrace_addr2str(dtrace_hdl_t *h, uint64_t addr, char *buf, int n)
{
	LIB_ENTER(h, -1);
	return dtrace_uaddr2str(h, 0, addr, buf, n);
}

int dtrace_uaddr2str(dtrace_hdl_t *h, pid_t pid, uint64_t addr, char *buf, int n)
{
	LIB_ENTER(h, -1);
	struct buf b = {0};

	if (lib_open_compiler(h))
		value_address(&h->s->out, &b, (uint32_t)pid, addr);
	else
		buf_printf(&b, "0x%llx", (unsigned long long)addr);
	return copy_out(&b, buf, n);
}

/* ---- types ---- */

static int put_type(dtrace_hdl_t *h, const char *object, struct type *t, dtrace_typeinfo_t *tip)
{
	struct intern *names = h->s->plan.env.names;

	if (!t)
		return lib_fail(h, EDT_NOTYPE);
	*tip = (dtrace_typeinfo_t){.dtt_object = intern_str(names, object),
				   .dtt_type = (long)(intptr_t)t};
	return 0;
}

int dtrace_lookup_by_type(dtrace_hdl_t *h, const char *object, const char *name,
			  dtrace_typeinfo_t *tip)
{
	LIB_ENTER(h, -1);
	bool is_any = object == DTRACE_OBJ_EVERY || object == DTRACE_OBJ_KMODS || !object;
	struct buf b = {0};
	struct type *t = NULL;

	lib_enter(h);
	if (!name || !tip)
		return lib_fail(h, EINVAL);
	if (!is_any)
		buf_printf(&b, "%s`", object);
	buf_puts(&b, name);
	if (lib_open_compiler(h))
		t = type_lookup(h->s->plan.env.types, buf_str(&b));
	if (!t && is_any && h->is_compiling)
		t = lang_typename(h->s->plan.env.lang, name);
	buf_free(&b);
	return put_type(h, is_any ? "vmlinux" : object, t, tip);
}

int dtrace_type_strcompile(dtrace_hdl_t *h, const char *s, dtrace_typeinfo_t *tip)
{
	LIB_ENTER(h, -1);
	return dtrace_lookup_by_type(h, DTRACE_OBJ_EVERY, s, tip);
}

int dtrace_type_fcompile(dtrace_hdl_t *h, FILE *fp, dtrace_typeinfo_t *tip)
{
	LIB_ENTER(h, -1);
	struct buf b = {0};
	int r;

	lib_enter(h);
	if (!fp)
		return lib_fail(h, EINVAL);
	r = lib_read(fp, &b) ? dtrace_type_strcompile(h, buf_str(&b), tip) : lib_fail(h, EIO);
	buf_free(&b);
	return r;
}

int dtrace_symbol_type(dtrace_hdl_t *h, const GElf_Sym *symp, const dtrace_syminfo_t *sip,
		       dtrace_typeinfo_t *tip)
{
	LIB_ENTER(h, -1);
	struct type *t = NULL;

	lib_enter(h);
	if (!sip || !tip)
		return lib_fail(h, EINVAL);
	if (lib_open_compiler(h))
		t = compile_symbol_type(&h->s->compile, sip->dts_object, sip->dts_name);
	return put_type(h, sip->dts_object, t, tip);
}

/* Returns NULL, and sets the error, if there is no type. */
static struct type *type_of(dtrace_hdl_t *h, const dtrace_typeinfo_t *tip)
{
	lib_enter(h);
	if (!tip || !tip->dtt_type)
		lib_fail(h, EINVAL);
	return tip ? (struct type *)(intptr_t)tip->dtt_type : NULL;
}

int dtrace_type_name(dtrace_hdl_t *h, const dtrace_typeinfo_t *tip, char *buf, int n)
{
	LIB_ENTER(h, -1);
	struct type *t = type_of(h, tip);
	struct buf b = {0};

	if (!t)
		return -1;
	type_print(&b, t);
	return copy_out(&b, buf, n);
}

ssize_t dtrace_type_size(dtrace_hdl_t *h, const dtrace_typeinfo_t *tip)
{
	LIB_ENTER(h, -1);
	struct type *t = type_of(h, tip);

	return t ? (ssize_t)type_sizeof(h->s->plan.env.types, t) : -1;
}

/* ---- faults, stability ---- */

const char *dtrace_faultstr(dtrace_hdl_t *h, int fault)
{
	return msg_fault_text((unsigned int)fault);
}

static const char *const stabilities[] = {"Internal", "Private",  "Obsolete", "External",
					  "Unstable", "Evolving", "Stable",   "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

const char *dtrace_stability_name(int stability)
{
	return stability >= 0 && stability <= DTRACE_STABILITY_MAX ? stabilities[stability] : NULL;
}

const char *dtrace_class_name(int cls)
{
	return cls >= 0 && cls <= DTRACE_CLASS_MAX ? classes[cls] : NULL;
}

char *dtrace_attr2str(dtrace_attribute_t a, char *buf, size_t len)
{
	const char *name = dtrace_stability_name(a.dtat_name);
	const char *data = dtrace_stability_name(a.dtat_data);
	const char *cls = dtrace_class_name(a.dtat_class);

	if (!name || !data || !cls)
		return NULL;
	snprintf(buf, len, "%s/%s/%s", name, data, cls);
	return buf;
}

/* Returns the number of a name of len bytes; -1: unknown. */
static int number_of(const char *const *names, int n, const char *s, size_t len)
{
	for (int i = 0; i < n; i++)
		if (strlen(names[i]) == len && strncasecmp(names[i], s, len) == 0)
			return i;
	return -1;
}

int dtrace_str2attr(const char *s, dtrace_attribute_t *a)
{
	const char *data, *cls;
	int name, of, on;
	size_t n, d;

	if (!s || !a)
		return -1;
	n = strcspn(s, "/");
	data = s + n + (s[n] == '/');
	d = s[n] ? strcspn(data, "/") : 0;
	cls = data + d + (data[d] == '/');
	name = number_of(stabilities, DTRACE_STABILITY_MAX + 1, s, n);
	of = number_of(stabilities, DTRACE_STABILITY_MAX + 1, data, d);
	on = number_of(classes, DTRACE_CLASS_MAX + 1, cls, strlen(cls));
	if (name < 0 || of < 0 || on < 0)
		return -1;
	*a = (dtrace_attribute_t){(uint8_t)name, (uint8_t)of, (uint8_t)on};
	return 0;
}

dtrace_attribute_t lib_attr(const char *text)
{
	dtrace_attribute_t a = {0};

	if (text)
		dtrace_str2attr(text, &a);
	return a;
}
