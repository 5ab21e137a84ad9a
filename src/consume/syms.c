/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syms.c: names of addresses for the consumer, from kern/ and proc/.  The mappings of a process are
 * read when the consumer first needs them, and again when an address is in none of them.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "proc/gotable.h"
#include "proc/proc.h"
#include "proc/reader.h"
#include "consume/consume.h"
#include "consume/runtime.h"
#include "consume/unwind.h"
#include "consume/watch.h"
#include "sys/machine.h"

/* The pid in keys whose address is the number of a name. */
#define PID_NAMED (PROC_SHARED - 1)

/* Reads the symbols too, because files may be reachable only through the process. */
void syms_learn(struct consume *co, uint32_t pid, uint64_t mm)
{
	struct proc *p;

	if (!pid) {
		if (!co->peers[0]->saw_outside)
			report_error(co->report, "addresses of processes outside this PID "
						 "namespace have no names");
		co->peers[0]->saw_outside = true;
		return;
	}
	/* Events of its mappings may be waiting. */
	if (co->watch)
		watch_read(co->watch);
	p = procs_get(co->plan->env.procs, pid);
	if (!p)
		return;
	proc_read(p);
	runtime_learn(co, p);
	unwind_learn(co, p, mm);
	for (unsigned int i = 0; i < p->maps.n; i++)
		proc_object(co->plan->env.procs, p, &p->maps.a[i]);
	if (p->vdso.end)
		proc_object(co->plan->env.procs, p, &p->vdso);
}

void syms_learn_early(struct consume *co, uint32_t pid)
{
	struct proc *p = procs_get(co->plan->env.procs, pid);

	if (!p)
		return;
	/* It makes room for processes that fire. */
	p->last_use = 0;
	co->is_early = true;
	co->has_withheld = false;
	runtime_learn(co, p);
	unwind_learn(co, p, 0);
	co->is_early = false;
	/* The message comes when the process fires, and is read again. */
	if (co->has_withheld)
		unwind_forget(co, pid);
}

bool syms_withhold(struct consume *co)
{
	co->has_withheld |= co->is_early;
	return co->is_early;
}

void syms_news(struct consume *co, const struct abi_proc *proc)
{
	if (proc->news == ABI_NEWS_FUNCTION)
		runtime_read_new(co);
	else
		syms_learn(co, proc->pid, proc->mm);
}

/* A record may come before the events of its process were read. */
static struct proc *process_of(struct consume *co, uint32_t pid)
{
	struct proc *p = procs_get(co->plan->env.procs, pid);

	if (p || !co->watch)
		return p;
	watch_read(co->watch);
	return procs_get(co->plan->env.procs, pid);
}

static void put_name(struct procs *ps, const struct proc_sym *sym, uint64_t vaddr,
		     struct out_sym *res)
{
	if (!sym)
		return;
	res->name = proc_source_name(ps, sym->name);
	res->offset = vaddr - sym->addr;
}

/* Finds generated code, which is in no file and has only a name, or data. */
static int made(struct procs *ps, struct proc *p, uint64_t addr, struct out_sym *res)
{
	uint64_t start, vaddr;
	const char *name = p ? proc_made_at(ps, p, addr, &start) : NULL;
	const struct proc_object *o = p && !name ? proc_data_object(ps, p, addr, &vaddr) : NULL;

	if (!name && !o)
		return -ENOENT;
	*res = name ? (struct out_sym){.text = name, .offset = addr - start}
		    : (struct out_sym){.module = o->base, .mapped = vaddr};
	if (o)
		put_name(ps, proc_data_at(o, vaddr), vaddr, res);
	return 0;
}

/* Finds a name that syms_name has put into a key. */
static int named(const struct consume *co, uint64_t number, struct out_sym *res)
{
	const struct consume *lead = co->npeers ? co->peers[0] : co;

	if (number >= lead->names.n)
		return -ENOENT;
	*res = lead->names.a[number];
	return 0;
}

/* Ends of stacks (docs/short-stacks.md). */
static const struct out_sym lost_syms[] = {
    [ABI_LOST_UNKNOWN] = {.text = "(not unwound)"},
    [ABI_LOST_EARLY] = {.text = "(not unwound: tables not loaded)"},
    [ABI_LOST_RANGE] = {.text = "(not unwound: code in no known mapping)"},
    [ABI_LOST_TABLE] = {.text = "(not unwound: no tables)", .lost = "no tables in"},
    [ABI_LOST_RULE] = {.text = "(not unwound: no usable table)", .lost = "no usable table in"},
    [ABI_LOST_MEMORY] = {.text = "(not unwound: stack not readable)"},
};

static int usym(void *ctx, uint32_t pid, uint64_t addr, struct out_sym *res)
{
	struct consume *co = ctx;
	struct procs *ps = co->plan->env.procs;
	struct proc_place at;
	struct proc *p;
	const char *name;
	uint64_t start;

	if (abi_is_lost(addr)) {
		*res = lost_syms[ABI_FRAME_LOST - addr];
		return 0;
	}
	if (pid == PID_NAMED)
		return named(co, addr, res);
	if (addr & ABI_FRAME_LANG) {
		*res = (struct out_sym){.text = runtime_text(co, addr)};
		return res->text ? 0 : -ENOENT;
	}
	p = process_of(co, pid);
	if (!p || !proc_place(ps, p, addr, &at))
		return made(ps, p, addr, res);
	/* Code can be generated in a memfd, which is no ELF file. */
	if (!at.object->loads.n && (name = proc_made_at(ps, p, addr, &start)) != NULL) {
		*res = (struct out_sym){.text = name, .offset = addr - start};
		return 0;
	}
	*res = (struct out_sym){.module = at.object->base,
				.mapped = addr - at.map->start,
				.in_file = at.vaddr,
				.path = at.map->path,
				.build_id = at.object->build_id};
	put_name(ps, proc_place_sym(&at), at.vaddr, res);
	return 0;
}

static unsigned int places(void *ctx, uint32_t pid, uint64_t addr, struct out_place *to,
			   unsigned int max)
{
	struct consume *co = ctx;
	struct procs *ps = co->plan->env.procs;
	struct proc *p = addr & ABI_FRAME_LANG ? NULL : process_of(co, pid);
	struct reader_place of_go[GOPLACES_MAX];
	const struct reader_place *found = of_go;
	struct proc_place at;
	unsigned int n = 0;

	if (!p || !proc_place(ps, p, addr, &at) || !at.in_segment)
		return 0;
	if (at.object->reader)
		found = reader_places(at.object->reader, at.vaddr, &n);
	else if (at.object->goplaces)
		n = goplaces_find(at.object->goplaces, at.vaddr, of_go);
	/* If there are too many places, the innermost ones are omitted. */
	for (; n > max; n--)
		found++;
	for (unsigned int i = 0; i < n; i++)
		to[i] = (struct out_place){
		    .func = found[i].func ? proc_source_name(ps, found[i].func) : NULL,
		    .file = found[i].file,
		    .line = found[i].line};
	return n;
}

static int ksym(void *ctx, uint64_t addr, struct out_sym *res)
{
	struct consume *co = ctx;
	struct kern_sym sym;

	if (!kern_sym_by_addr(co->plan->env.kern, addr, &sym))
		return -ENOENT;
	*res = (struct out_sym){.module = sym.module, .name = sym.name, .offset = addr - sym.addr};
	return 0;
}

const struct out_symtab syms_table = {.ksym = ksym, .usym = usym, .places = places};

uint64_t syms_module_addr(struct consume *co, uint32_t pid, const char *module, uint64_t addr)
{
	struct buf b = {0};
	uint64_t *first;

	buf_printf(&b, "%u:%s", pid, module);
	first = map_get_str(co->modules, buf_str(&b));
	if (!first) {
		first = arena_new_obj(co->arena, uint64_t);
		*first = addr;
		map_set_str(co->modules, arena_strdup(co->arena, buf_str(&b)), first);
	}
	buf_free(&b);
	return *first;
}

/* ---- stacks that could not be unwound ---- */

/*
 * Returns true if a frame can be a caller: the process has code before the return address.  A chain
 * of frame pointers that the kernel has followed can also contain 0.  p: NULL: not known.
 */
static bool is_caller(struct procs *ps, struct proc *p, uint64_t frame)
{
	return frame && (!p || frame & ABI_FRAME_LANG || proc_has_code(ps, p, frame - 1));
}

static uint64_t frame_at(const void *frames, unsigned int i)
{
	uint64_t frame;

	memcpy(&frame, (const char *)frames + i * sizeof(frame), sizeof(frame));
	return frame;
}

unsigned int syms_wrong_frames(struct consume *co, uint32_t pid, const void *frames, uint32_t size,
			       unsigned int *first)
{
	unsigned int lost = 0;
	struct proc *p;

	while (lost < size / 8 && !abi_is_lost(frame_at(frames, lost)))
		lost++;
	if (lost == size / 8)
		return 0;
	p = process_of(co, pid);
	for (*first = 1; *first < lost; ++*first)
		if (!is_caller(co->plan->env.procs, p, frame_at(frames, *first)))
			return lost - *first;
	return 0;
}

void syms_remove_frames(void *frames, uint32_t size, unsigned int first, unsigned int n)
{
	char *to = (char *)frames + first * 8ULL;
	size_t moved = size - (first + n) * 8ULL;
	uint64_t end = frame_at(frames, first + n);

	/* The last frame that is left has led to the wrong ones. */
	if (end < ABI_FRAME_LOST - ABI_LOST_EARLY) {
		end = ABI_FRAME_LOST - ABI_LOST_TABLE;
		memcpy(to + n * 8ULL, &end, sizeof(end));
	}
	memmove(to, to + n * 8ULL, moved);
	memset(to + moved, 0, n * 8ULL);
}

/* ---- stacks with names ---- */

const char *syms_lines(struct consume *co, const void *frames, uint32_t size)
{
	struct map *known = co->peers[0]->lines;
	struct buf b = {0};
	char *text;

	for (uint32_t i = 0; i + 8 <= size; i += 8) {
		struct kern_sym sym;
		uint64_t pc;

		memcpy(&pc, (const char *)frames + i, 8);
		if (!pc)
			break;
		if (kern_sym_by_addr(co->plan->env.kern, pc, &sym))
			buf_printf(&b, "%s+0x%llx\n", sym.name,
				   (unsigned long long)(pc - sym.addr));
		else
			buf_printf(&b, "0x%llx\n", (unsigned long long)pc);
	}
	text = map_get_str(known, buf_str(&b));
	if (!text) {
		text = arena_strdup(co->peers[0]->arena, buf_str(&b));
		map_set_str(known, text, text);
	}
	buf_free(&b);
	return text;
}

static void put_mixed(char *at, uint64_t owner, const struct mixed *mixed)
{
	owner |= ABI_STACK_MIXED;
	memcpy(at, &owner, sizeof(owner));
	memcpy(at + 8, &mixed, sizeof(mixed));
}

/* Replaces the frames of a stack with frames of languages. */
static void mix_stack(struct consume *co, const struct item *it, char *at, uint64_t owner)
{
	const uint64_t *frames;
	bool is_cut;
	unsigned int n = runtime_mix(co, (uint32_t)owner, at + 8, it->size - 8, &frames, &is_cut);

	if (!n)
		return;
	memset(at + 8, 0, it->size - 8);
	put_mixed(at, owner, runtime_store(co, frames, n, is_cut));
}

const struct mixed *syms_mixed(const struct item *it, const void *key)
{
	const char *at = (const char *)key + it->off;
	const struct mixed *mixed;
	uint64_t owner;

	memcpy(&owner, at, sizeof(owner));
	memcpy(&mixed, at + 8, sizeof(mixed));
	return owner & ABI_STACK_MIXED ? mixed : NULL;
}

static void name_stack(struct consume *co, const struct item *it, char *at)
{
	uint64_t owner;
	const char *text;
	uint64_t is_cut;
	unsigned int first, n;

	memcpy(&owner, at, 8);
	owner &= ~ABI_STACK_MIXED;
	memcpy(at, &owner, 8);
	if (owner & ABI_STACK_USER) {
		n = syms_wrong_frames(co, (uint32_t)owner, at + 8, it->size - 8, &first);
		if (n)
			syms_remove_frames(at + 8, it->size - 8, first, n);
	}
	if (co->plan->lang_new && owner & ABI_STACK_USER)
		mix_stack(co, it, at, owner);
	if (!consume_is_named(owner))
		return;
	is_cut = consume_value(it, at - it->off).is_cut;
	text = syms_lines(co, at + 8, it->size - 8);
	memset(at + 8, 0, it->size - 8);
	memcpy(at + it->size - 8, &is_cut, sizeof(is_cut));
	memcpy(at + 8, &text, sizeof(text));
}

static const char *copy_text(struct arena *a, const char *text)
{
	return text ? arena_strdup(a, text) : NULL;
}

/* Returns the number of a name.  Equal names of a consumer and its peers have one number. */
static uint64_t name_number(struct consume *co, const struct out_sym *sym)
{
	struct consume *lead = co->peers[0];
	struct buf b = {0};
	uintptr_t n;

	buf_printf(&b, "%s`%s`%s+%llx", sym->module ? sym->module : "", sym->name ? sym->name : "",
		   sym->text ? sym->text : "", (unsigned long long)sym->offset);
	n = (uintptr_t)map_get_str(lead->name_numbers, buf_str(&b));
	if (!n) {
		struct out_sym copy = {.module = copy_text(lead->arena, sym->module),
				       .name = copy_text(lead->arena, sym->name),
				       .text = copy_text(lead->arena, sym->text),
				       .path = copy_text(lead->arena, sym->path),
				       .build_id = copy_text(lead->arena, sym->build_id),
				       .offset = sym->offset};

		vec_push(&lead->names, copy);
		n = lead->names.n;
		map_set_str(lead->name_numbers, arena_strdup(lead->arena, buf_str(&b)), (void *)n);
	}
	buf_free(&b);
	return n - 1;
}

/* The item has a process and an address.  An address without a name stays. */
static void name_address(struct consume *co, const struct item *it, char *at)
{
	struct out_sym sym = {0};
	uint64_t words[2];

	memcpy(words, at, sizeof(words));
	if (usym(co, (uint32_t)words[0], words[1], &sym) != 0)
		return;
	if (it->enc == ITEM_UMOD && sym.module)
		sym = (struct out_sym){.module = sym.module};
	else if (!sym.name && !sym.text)
		return;
	if (it->enc == ITEM_USYM)
		sym.offset = 0;
	words[1] = name_number(co, &sym);
	words[0] = PID_NAMED;
	memcpy(at, words, sizeof(words));
}

void syms_name(struct consume *co, const struct item *items, unsigned int n, void *key)
{
	for (unsigned int i = 0; i < n; i++) {
		char *at = (char *)key + items[i].off;

		switch (items[i].enc) {
		case ITEM_STACK:
			name_stack(co, &items[i], at);
			break;
		case ITEM_USYM:
		case ITEM_UMOD:
		case ITEM_UADDR:
			if (!co->opts->is_set[OPT_noresolve])
				name_address(co, &items[i], at);
			break;
		default:
			break;
		}
	}
}

/* ---- option mergestacks ---- */

/*
 * Replaces an address of a process by one of process PROC_SHARED.  Returns false if it is in no
 * file.
 */
static bool merge_address(struct consume *co, uint32_t pid, uint64_t *addr)
{
	struct procs *ps = co->plan->env.procs;
	struct proc *p = process_of(co, pid);
	struct proc_place at;

	*addr = p && proc_place(ps, p, *addr, &at) ? proc_shared(ps, p, at.map, at.off) : 0;
	return *addr != 0;
}

/* The same for all addresses up to an address 0. */
static bool merge_addresses(struct consume *co, uint32_t pid, uint64_t *addrs, unsigned int n)
{
	for (unsigned int i = 0; i < n && addrs[i] && !abi_is_lost(addrs[i]); i++)
		if (!merge_address(co, pid, &addrs[i]))
			return false;
	return true;
}

static void merge_mixed(struct consume *co, char *at, uint32_t pid, const struct mixed *mixed)
{
	uint64_t *frames = mem_alloc(mixed->n * sizeof(*frames));
	unsigned int i;

	memcpy(frames, mixed->frames, mixed->n * sizeof(*frames));
	for (i = 0; i < mixed->n; i++)
		if (!(frames[i] & ABI_FRAME_LANG) && !merge_address(co, pid, &frames[i]))
			break;
	if (i == mixed->n)
		put_mixed(at, ABI_STACK_USER | PROC_SHARED,
			  runtime_store(co, frames, i, mixed->is_cut));
	mem_free(frames);
}

/* The item has a word with the process, followed by addresses. */
static void merge_item(struct consume *co, const struct item *it, char *at)
{
	unsigned int n = it->size / 8;
	uint64_t *words = mem_alloc(n * sizeof(*words));

	memcpy(words, at, n * sizeof(*words));
	if (it->enc == ITEM_STACK && words[0] & ABI_STACK_MIXED)
		merge_mixed(co, at, (uint32_t)words[0], syms_mixed(it, at - it->off));
	else if ((it->enc != ITEM_STACK || words[0] & ABI_STACK_USER) &&
		 (uint32_t)words[0] != PID_NAMED &&
		 merge_addresses(co, (uint32_t)words[0], words + 1, n - 1)) {
		words[0] = (words[0] & ABI_STACK_USER) | PROC_SHARED;
		memcpy(at, words, n * sizeof(*words));
	}
	mem_free(words);
}

void syms_merge(struct consume *co, const struct item *items, unsigned int n, void *key)
{
	for (unsigned int i = 0; i < n; i++)
		switch (items[i].enc) {
		case ITEM_STACK:
		case ITEM_USYM:
		case ITEM_UMOD:
		case ITEM_UADDR:
			merge_item(co, &items[i], (char *)key + items[i].off);
			break;
		default:
			break;
		}
}
