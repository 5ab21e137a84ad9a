/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf.c: reads debug information through libdw, in a jail.  A type is identified by its position
 * in the file, in the second file that some share (.gnu_debugaltlink), or in a file that has a part
 * of a unit (.dwo).
 */
#include <gelf.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "proc/dwarf_priv.h"

#define IN_SHARED    (1ULL << 63) /* bit of an info_ref */
#define IN_TYPES     (1ULL << 62) /* in .debug_types of DWARF 4 */
#define SPLIT_SHIFT  48		  /* number of the file in `splits`, from 1 */
#define SPLITS_MAX   ((1U << 14) - 1)
#define LEVELS_MAX   64 /* nesting of namespaces, and of types */
#define SECTIONS_MAX 64 /* sections of debug information in a file */

static Dwarf *open_bytes(const struct dw *dw, struct dwarf_bytes file, Elf **elf)
{
	if (file.from)
		*elf = elf_memory(file.from, (size_t)(file.to - file.from));
	return *elf ? dw->dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
}

struct dwarf *dwarf_open(const struct dw *dw, struct dwarf_bytes file, struct dwarf_bytes shared)
{
	struct dwarf *d = mem_alloc(sizeof(*d));

	d->dw = dw;
	d->classes = map_new();
	elf_version(EV_CURRENT);
	d->file = open_bytes(dw, file, &d->elf);
	if (!d->file) {
		dwarf_close(d);
		return NULL;
	}
	d->shared = open_bytes(dw, shared, &d->shared_elf);
	if (d->shared)
		dw->dwarf_setalt(d->file, d->shared);
	return d;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	if (d->file)
		d->dw->dwarf_end(d->file);
	if (d->shared)
		d->dw->dwarf_end(d->shared);
	elf_end(d->elf);
	elf_end(d->shared_elf);
	vec_free(&d->splits);
	vec_free(&d->sections);
	dwarf_names_free(d->names);
	map_free(d->classes);
	mem_free(d);
}

/* ---- texts ---- */

static void add_sections(struct dwarf *d, Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;
	unsigned int n = 0;

	if (!elf || elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL && n < SECTIONS_MAX) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || !(name = elf_strptr(elf, names, sh.sh_name)) ||
		    (strncmp(name, ".debug_", 7) != 0 && strncmp(name, ".zdebug_", 8) != 0))
			continue;
		data = elf_getdata(scn, NULL);
		n += data && data->d_buf;
		if (data && data->d_buf)
			vec_push(&d->sections,
				 ((struct dwarf_bytes){data->d_buf,
						       (char *)data->d_buf + data->d_size}));
	}
}

static bool is_in(const struct dwarf_bytes *s, const char *text)
{
	return text >= s->from && text < s->to;
}

/* Most texts are in the section of the text before. */
static bool is_ended(struct dwarf *d, const char *text)
{
	unsigned int i = d->last_section;

	if (i >= d->sections.n || !is_in(&d->sections.a[i], text))
		for (i = 0; i < d->sections.n && !is_in(&d->sections.a[i], text);)
			i++;
	d->last_section = i;
	return i < d->sections.n &&
	       memchr(text, '\0', (size_t)(d->sections.a[i].to - text)) != NULL;
}

static void find_sections(struct dwarf *d)
{
	if (d->sections.n)
		return;
	add_sections(d, d->elf);
	add_sections(d, d->shared_elf);
}

const char *dwarf_text(struct dwarf *d, const char *text)
{
	find_sections(d);
	return text && is_ended(d, text) ? text : NULL;
}

const char *dwarf_name(struct dwarf *d, Dwarf_Die *die)
{
	return dwarf_text(d, d->dw->dwarf_diename(die));
}

/* ---- units ---- */

/* Compilers may leave out the table of units' addresses. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res)
{
	const struct dw *dw = d->dw;
	Dwarf_CU *cu = NULL;
	Dwarf_Die sub;

	if (dw->dwarf_addrdie(d->file, addr, res))
		return true;
	while (dw->dwarf_get_units(d->file, cu, &cu, NULL, NULL, res, &sub) == 0)
		if (dw->dwarf_haspc(res, addr) > 0)
			return true;
	return false;
}

/* Returns the number of a file of a unit's part, from 1, and remembers a new one; 0: too many. */
static unsigned int split_number(struct dwarf *d, Dwarf *file)
{
	unsigned int i = d->splits.n;

	while (i && d->splits.a[i - 1] != file)
		i--;
	if (i || d->splits.n == SPLITS_MAX)
		return i;
	find_sections(d);
	add_sections(d, d->dw->dwarf_getelf(file));
	vec_push(&d->splits, file);
	return d->splits.n;
}

bool dwarf_join(struct dwarf *d, Dwarf_Die *unit)
{
	Dwarf_Die sub = {0};
	uint8_t kind = 0;

	d->dw->dwarf_cu_info(unit->cu, NULL, &kind, NULL, &sub, NULL, NULL, NULL);
	if (kind != DW_UT_skeleton)
		return true;
	if (!sub.addr || !split_number(d, d->dw->dwarf_cu_getdwarf(sub.cu)))
		return false;
	*unit = sub;
	return true;
}

bool dwarf_unit_after(struct dwarf *d, Dwarf_CU **cu, Dwarf_Die *unit)
{
	Dwarf_Die sub;

	if (d->dw->dwarf_get_units(d->file, *cu, cu, NULL, NULL, unit, &sub) != 0)
		return false;
	dwarf_join(d, unit);
	return true;
}

static bool is_type_unit(uint8_t kind)
{
	return kind == DW_UT_type || kind == DW_UT_split_type;
}

info_ref dwarf_ref(struct dwarf *d, Dwarf_Die *die)
{
	Dwarf *file = d->dw->dwarf_cu_getdwarf(die->cu);
	Dwarf_Half version = 0;
	uint64_t in = 0;
	uint8_t kind = 0;

	d->dw->dwarf_cu_info(die->cu, &version, &kind, NULL, NULL, NULL, NULL, NULL);
	if (file == d->shared)
		in = IN_SHARED;
	else if (file != d->file)
		in = (uint64_t)split_number(d, file) << SPLIT_SHIFT;
	return d->dw->dwarf_dieoffset(die) | in |
	       (is_type_unit(kind) && version < 5 ? IN_TYPES : 0);
}

bool dwarf_at(struct dwarf *d, info_ref ref, Dwarf_Die *die)
{
	Dwarf_Off off = ref & ((1ULL << SPLIT_SHIFT) - 1);
	uint64_t split = (ref & ~(IN_SHARED | IN_TYPES)) >> SPLIT_SHIFT;
	Dwarf *file = ref & IN_SHARED ? d->shared : d->file;

	if (split)
		file = split <= d->splits.n ? d->splits.a[split - 1] : NULL;
	if (!ref || !file)
		return false;
	return ref & IN_TYPES ? d->dw->dwarf_offdie_types(file, off, die)
			      : d->dw->dwarf_offdie(file, off, die);
}

info_ref dwarf_type_of(struct dwarf *d, Dwarf_Die *die)
{
	Dwarf_Die to;

	return dw_follow(d->dw, die, DW_AT_type, &to) ? dwarf_ref(d, &to) : 0;
}

/* ---- types ---- */

/*
 * Returns the definition of a type that is only declared, if it exists: in a type unit, or in
 * another unit.
 */
static bool type_at(struct dwarf *d, info_ref ref, Dwarf_Die *die)
{
	Dwarf_Attribute signature;

	if (!dwarf_at(d, ref, die))
		return false;
	if (d->dw->dwarf_attr(die, DW_AT_signature, &signature) &&
	    d->dw->dwarf_formref_die(&signature, die))
		return true;
	if (d->dw->dwarf_hasattr(die, DW_AT_declaration))
		dwarf_define(d, die);
	return true;
}

static void base_type(struct dwarf *d, Dwarf_Die *die, struct info_type *t)
{
	uint64_t encoding = 0;

	dw_number(d->dw, die, DW_AT_encoding, &encoding);
	t->kind = INFO_INT;
	switch (encoding) {
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		t->kind = INFO_FLOAT;
		break;
	case DW_ATE_boolean:
		t->is_bool = true;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		t->is_signed = true;
		break;
	default:
		break;
	}
}

static enum info_kind kind_of(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return INFO_PTR;
	case DW_TAG_array_type:
		return INFO_ARRAY;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return INFO_STRUCT;
	case DW_TAG_union_type:
		return INFO_UNION;
	case DW_TAG_enumeration_type:
		return INFO_ENUM;
	case DW_TAG_typedef:
		return INFO_TYPEDEF;
	case DW_TAG_const_type:
		return INFO_CONST;
	case DW_TAG_volatile_type:
		return INFO_VOLATILE;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return INFO_SAME;
	case DW_TAG_subroutine_type:
		return INFO_FUNC;
	default:
		return INFO_VOID;
	}
}

/*
 * The sign comes from the encoding or the integer type of an enumeration.  Without both it is an
 * int.
 */
static bool enum_is_signed(struct dwarf *d, Dwarf_Die *die)
{
	struct info_type as_int = {0};
	Dwarf_Die type = *die;

	for (int i = 0; i < LEVELS_MAX; i++) {
		if (d->dw->dwarf_hasattr(&type, DW_AT_encoding)) {
			base_type(d, &type, &as_int);
			return as_int.is_signed;
		}
		if (!dw_follow(d->dw, &type, DW_AT_type, &type))
			break;
	}
	return true;
}

void dwarf_type(struct dwarf *d, info_ref ref, struct info_type *res)
{
	Dwarf_Die die;
	int size;

	if (!type_at(d, ref, &die))
		return;
	res->name = dwarf_name(d, &die);
	size = d->dw->dwarf_bytesize(&die);
	res->size = size > 0 ? (uint64_t)size : 0;
	res->is_declared = d->dw->dwarf_hasattr(&die, DW_AT_declaration);
	res->is_by_reference = dwarf_is_by_reference(d, &die, 0);
	res->to = dwarf_type_of(d, &die);
	if (d->dw->dwarf_tag(&die) == DW_TAG_base_type)
		base_type(d, &die, res);
	else
		res->kind = kind_of(d->dw->dwarf_tag(&die));
	if (res->kind == INFO_ENUM)
		res->is_signed = enum_is_signed(d, &die);
	if (res->kind == INFO_STRUCT || res->kind == INFO_UNION || res->kind == INFO_ENUM)
		res->identity = dwarf_identity(d, &die);
}

/* Returns the constant that an operation pushes; 0: it is another operation. */
static uint64_t constant(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return op->atom - DW_OP_lit0;
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
		return op->number;
	default:
		return 0;
	}
}

/* The only expression of compilers for a place at run time: see before_table. */
static uint64_t virtual_base(struct dwarf *d, Dwarf_Die *die, const Dwarf_Op *ops, size_t n)
{
	uint8_t address = 0;

	d->dw->dwarf_cu_info(die->cu, NULL, NULL, NULL, NULL, NULL, &address, NULL);
	if (address != sizeof(uint64_t) || n != 6 || d->dw->dwarf_tag(die) != DW_TAG_inheritance ||
	    ops[0].atom != DW_OP_dup || ops[1].atom != DW_OP_deref || ops[3].atom != DW_OP_minus ||
	    ops[4].atom != DW_OP_deref || ops[5].atom != DW_OP_plus)
		return 0;
	return constant(&ops[2]);
}

/* Returns false if the offset is known only at run time, except for a virtual base class. */
static bool byte_offset(struct dwarf *d, Dwarf_Die *die, uint64_t *off, uint64_t *before_table)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	*off = 0;
	if (!d->dw->dwarf_attr(die, DW_AT_data_member_location, &attr) ||
	    dw_number(d->dw, die, DW_AT_data_member_location, off))
		return true;
	if (d->dw->dwarf_getlocation(&attr, &ops, &n) != 0)
		return false;
	*before_table = virtual_base(d, die, ops, n);
	if (*before_table)
		return true;
	*off = n == 1 ? ops[0].number : 0;
	return n == 1 && ops[0].atom == DW_OP_plus_uconst;
}

/* DWARF 3 counts from the upper end of the bit-field's word. */
static bool place_of(struct dwarf *d, Dwarf_Die *die, struct info_member *m)
{
	uint64_t off, bits = 0, at, size;
	struct info_type t = {0};

	if (!byte_offset(d, die, &off, &m->before_table))
		return false;
	m->bit_off = off * 8;
	if (!dw_number(d->dw, die, DW_AT_bit_size, &bits))
		return true;
	m->bits = (unsigned int)bits;
	if (dw_number(d->dw, die, DW_AT_data_bit_offset, &at)) {
		m->bit_off += at;
	} else if (dw_number(d->dw, die, DW_AT_bit_offset, &at)) {
		dwarf_type(d, m->type, &t);
		if (!dw_number(d->dw, die, DW_AT_byte_size, &size))
			size = t.size;
		m->bit_off += size * 8 - at - bits;
	}
	return true;
}

bool dwarf_is_member(struct dwarf *d, Dwarf_Die *die)
{
	switch (d->dw->dwarf_tag(die)) {
	case DW_TAG_member:
		/* A static member of C++ is a variable. */
		return !d->dw->dwarf_hasattr(die, DW_AT_declaration) &&
		       !d->dw->dwarf_hasattr(die, DW_AT_external);
	case DW_TAG_inheritance:
	case DW_TAG_enumerator:
	case DW_TAG_subrange_type:
		return true;
	default:
		return false;
	}
}

void dwarf_members(struct dwarf *d, info_ref ref, info_list *list)
{
	Dwarf_Attribute value;
	Dwarf_Sword number;
	Dwarf_Die die, in;
	int r;

	if (!type_at(d, ref, &die))
		return;
	r = d->dw->dwarf_child(&die, &in);
	for (; r == 0 && list->n < DWARF_MEMBERS_MAX; r = d->dw->dwarf_siblingof(&in, &in)) {
		int tag = d->dw->dwarf_tag(&in);
		struct info_member m = {.type = dwarf_type_of(d, &in)};

		if (!dwarf_is_member(d, &in))
			continue;
		if (tag == DW_TAG_subrange_type)
			m.value = (int64_t)dw_dimension(d->dw, &in);
		else if (tag != DW_TAG_inheritance)
			m.name = dwarf_name(d, &in);
		if (tag == DW_TAG_enumerator && d->dw->dwarf_attr(&in, DW_AT_const_value, &value) &&
		    d->dw->dwarf_formsdata(&value, &number) == 0)
			m.value = number;
		if (place_of(d, &in, &m))
			vec_push(list, m);
	}
}
