/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info.c: selects the format with the most information.
 */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/progress.h"
#include "proc/debug.h"
#include "proc/info_priv.h"
#include "proc/reader.h"

#define BTF_MAX (64 << 20) /* bytes; the kernel's own has 6 MB */

/* At most one of both is set. */
struct info {
	struct reader *dwarf;
	struct btf_info *btf;
};

static struct btf_info *open_btf(int fd, const char *path, struct debug_dir *dir)
{
	struct btf_info *res = NULL;
	const Elf64_Shdr *sh;
	struct buf made = {0};
	struct image im;
	char *data;

	if (image_read(&im, fd) && ctf_to_btf(&im, path, dir, &made)) {
		res = btf_info_open(made.s, made.n);
	} else if ((sh = image_find(&im, ".BTF")) && (data = image_section(&im, sh, BTF_MAX))) {
		res = btf_info_open(data, sh->sh_size);
		mem_free(data);
	}
	buf_free(&made);
	image_free(&im);
	return res;
}

struct info *info_open(int fd, const char *path, struct debug_dir *dir)
{
	int debug = debug_info_open(fd, path, dir);
	struct btf_info *btf;
	struct reader *dwarf;
	struct info *in;

	progress_at("reading debug information of processes", 0, 0);
	dwarf = debug >= 0 ? reader_open(debug, path, dir) : NULL;
	btf = dwarf ? NULL : open_btf(fd, path, dir);
	if (!dwarf && !btf)
		return NULL;
	in = mem_alloc(sizeof(*in));
	*in = (struct info){dwarf, btf};
	return in;
}

void info_close(struct info *in)
{
	if (!in)
		return;
	reader_close(in->dwarf);
	btf_info_close(in->btf);
	mem_free(in);
}

bool info_function(struct info *in, uint64_t addr, const char *symbol, struct info_function *res)
{
	*res = (struct info_function){.language = INFO_C};
	return in->dwarf ? reader_function(in->dwarf, addr, res)
			 : btf_info_function(in->btf, symbol, res);
}

void info_function_free(struct info_function *f)
{
	vec_free(&f->params);
	vec_free(&f->results);
}

void info_type(struct info *in, info_ref ref, struct info_type *res)
{
	*res = (struct info_type){.kind = INFO_VOID};
	if (in->dwarf)
		reader_type(in->dwarf, ref, res);
	else
		btf_info_type(in->btf, ref, res);
}

info_ref info_find(struct info *in, const char *name, bool *is_ambiguous)
{
	*is_ambiguous = false;
	if (strlen(name) >= INFO_NAME_MAX)
		return 0;
	return in->dwarf ? reader_find(in->dwarf, name, is_ambiguous)
			 : btf_info_find(in->btf, name, is_ambiguous);
}

bool info_variable(struct info *in, uint64_t addr, const char *symbol, info_ref *type)
{
	return in->dwarf ? reader_variable(in->dwarf, addr, type)
			 : btf_info_variable(in->btf, symbol, type);
}

/* Splits "struct conn" into its tag and its name. */
const char *info_untag(const char *name, const char **tag)
{
	static const char *const tags[] = {"struct", "union", "enum"};

	*tag = "";
	for (unsigned int i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t n = strlen(tags[i]);

		if (strncmp(name, tags[i], n) == 0 && name[n] == ' ') {
			*tag = tags[i];
			return name + n + 1;
		}
	}
	return name;
}

const char *info_tag(enum info_kind kind)
{
	switch (kind) {
	case INFO_STRUCT:
		return "struct";
	case INFO_UNION:
		return "union";
	case INFO_ENUM:
		return "enum";
	default:
		return "";
	}
}

void info_members(struct info *in, info_ref ref, info_list *list)
{
	if (in->dwarf)
		reader_members(in->dwarf, ref, list);
	else
		btf_info_members(in->btf, ref, list);
}
