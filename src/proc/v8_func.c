/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8_func.c: names and files of functions of V8.  A SharedFunctionInfo has either the name or a
 * ScopeInfo with the name, and its script.  Offsets come from V8's
 * src/objects/shared-function-info.tq, scope-info.tq and script.tq.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/v8.h"

#define LOCALS_MAX (1 << 20)

/* A ScopeInfo: flags, number of parameters, number of variables, then parts that may be missing. */
enum {
	SCOPE_FLAGS = 8,
	SCOPE_VARIABLES = 24,
	SCOPE_NAMED_HERE = 75, /* from so many variables on, their names are in one table */
};

/* Its flags. */
enum {
	FLAG_TYPE = 15,
	FLAG_CLASS_VARIABLE = 1 << 10,
	FLAG_FUNCTION_VARIABLE = 3 << 12,
	FLAG_INFERRED_NAME = 1 << 14,
};

#define FROM_EVAL 1 /* lowest bit of the flags of a script */

/* Returns the word where the names of a ScopeInfo are: after its variables and their properties. */
static uint64_t names_at(const struct v8 *v, uint64_t scope, uint32_t flags)
{
	const struct runtime_layout *l = v->layout;
	uint32_t n = (uint32_t)v8_smi(v8_member(v, scope, SCOPE_VARIABLES));
	uint64_t at = l->v8.scope_variables;

	if (n > LOCALS_MAX)
		return 0;
	if (l->v8.scope_module && (flags & FLAG_TYPE) == l->v8.scope_module)
		at += 8;
	at += 8ULL * (n < SCOPE_NAMED_HERE ? n : 1) + 8ULL * n;
	return flags & FLAG_CLASS_VARIABLE ? at + 8 : at;
}

/* Returns the name of the function of a ScopeInfo, or the name that V8 infers from an assignment.
 */
static char *name_of_scope(const struct v8 *v, uint64_t scope)
{
	uint64_t word = v8_member(v, scope, SCOPE_FLAGS), at;
	uint32_t flags = v->layout->v8.scope_is_raw ? (uint32_t)word : (uint32_t)v8_smi(word);
	char *name = NULL;

	at = names_at(v, scope, flags);
	if (at && flags & FLAG_FUNCTION_VARIABLE) {
		name = v8_text(v, v8_member(v, scope, at));
		at += 16;
	}
	if (at && !name && flags & FLAG_INFERRED_NAME)
		name = v8_text(v, v8_member(v, scope, at));
	return name;
}

/* Returns the text that the runtime itself prints for a function without a name. */
static char *no_name(const struct v8 *v, uint64_t script)
{
	uint64_t flags = script ? v8_member(v, script, v->layout->v8.script_flags) : 0;

	return mem_strdup(v8_smi(flags) & FROM_EVAL ? "eval" : "(anonymous)");
}

static char *name_of(const struct v8 *v, uint64_t info, uint64_t script)
{
	uint64_t name = v8_member(v, info, v->layout->frames.v8.name);
	char *text = v8_type(v, name) == v->layout->v8.type_scope ? name_of_scope(v, name)
								  : v8_text(v, name);

	return text ? text : no_name(v, script);
}

uint64_t v8_script(const struct v8 *v, uint64_t info)
{
	const struct runtime_layout *l = v->layout;
	uint64_t script = v8_member(v, info, l->frames.v8.script);

	/* A debugger puts its own object in between. */
	if (v8_type(v, script) == l->v8.type_debug)
		script = v8_member(v, script, V8_DEBUG_SCRIPT);
	return v8_type(v, script) == l->frames.v8.type_script ? script : 0;
}

uint64_t v8_bytecode_of(const struct v8 *v, uint64_t data)
{
	const struct runtime_layout *l = v->layout;

	if (v8_type(v, data) == l->v8.type_interpreter)
		data = v8_member(v, data, l->v8.interpreter_bytecode);
	return v8_type(v, data) == l->frames.v8.type_bytecode ? data : 0;
}

uint64_t v8_bytecode(const struct v8 *v, uint64_t info)
{
	uint64_t data = v8_member(v, info, V8_INFO_DATA);

	/* Sparkplug's code refers to the data that it replaced. */
	if (v8_type(v, data) == v->layout->v8.type_code)
		data = v8_member(v, data, v->layout->v8.code_deopt);
	return v8_bytecode_of(v, data);
}

struct runtime_code *v8_function(const struct v8 *v, uint64_t info)
{
	struct runtime_code *c;
	uint64_t script;

	if (v8_type(v, info) != v->layout->frames.v8.type_info)
		return NULL;
	c = mem_alloc(sizeof(*c));
	script = v8_script(v, info);
	c->func = name_of(v, info, script);
	if (!script)
		return c;
	c->file = v8_text(v, v8_member(v, script, V8_SCRIPT_NAME));
	if (!c->file)
		c->file = mem_strdup("<anonymous>");
	return c;
}
