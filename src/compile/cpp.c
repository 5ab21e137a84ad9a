/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpp.c: runs the C preprocessor.  It reads the script from an unnamed file, because the
 * preprocessor cannot read the first line of an interpreter file (#!), and writes into a pipe.
 *
 * A prologue precedes the script.  It sets the value of __STDC__, and the name of the script for
 * messages and line markers.  Arguments cannot do this without a warning.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "lang/version.h"
#include "print/msg.h"
#include "compile/cpp.h"
#include "compile/compile.h"

typedef VEC(const char *) arg_list;

static void add_words(struct compile *comp, arg_list *args, const char *text)
{
	char *copy = arena_strdup(comp->arena, text), *save = NULL;

	for (char *w = strtok_r(copy, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save))
		vec_push(args, w);
}

/* Returns "-D__Linux_6_18_0=1"; characters that a name cannot have become underscores. */
static const char *release_macro(struct compile *comp)
{
	struct utsname u;
	char *m;

	if (uname(&u) != 0)
		return "-D__linux=1";
	m = arena_printf(comp->arena, "-D__%s_%s=1", u.sysname, u.release);
	for (char *p = m + 2; *p && *p != '='; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
	return m;
}

static void add_macros(struct compile *comp, arg_list *args)
{
	const char *text =
	    comp->opts->is_set[OPT_version] ? comp->opts->text[OPT_version] : VERSION_LATEST;
	uint32_t version = 0;

	version_parse(text, &version);
	vec_push(args, "-D__linux=1");
	vec_push(args, "-D__unix=1");
	vec_push(args, "-D__SVR4=1");
	vec_push(args, "-D__SUNW_D=1");
	vec_push(args, comp->is_ilp32 ? "-D__SUNW_D_32=1" : "-D__SUNW_D_64=1");
	if (comp->is_ilp32) {
		vec_push(args, "-U__amd64");
		vec_push(args, "-D__i386=1");
	}
	vec_push(args, arena_printf(comp->arena, "-D__SUNW_D_VERSION=0x%08x", version));
	vec_push(args, release_macro(comp));
	/*
	 * Without __GNUC__, <sys/cdefs.h> omits extensions of the compiler, which D does not know.
	 */
	vec_push(args, "-U__GNUC__");
	vec_push(args, "-D__attribute__(x)=");
	vec_push(args, "-D__signed__=signed");
	vec_push(args, "-D__inline__=");
	vec_push(args, "-D__always_inline=");
}

/* Returns the C standard of -X: the preprocessor's default, C99, or traditional. */
static char c_standard(const struct compile *comp)
{
	return comp->opts->is_set[OPT_stdc] ? comp->opts->text[OPT_stdc][0] : 'a';
}

/* A text without a file includes files of the current directory. */
static const char *name_of(const struct source *src)
{
	return src->name ? src->name : "<program>";
}

/* Returns the argument vector, which ends with NULL. */
static char *const *arguments(struct compile *comp, const struct source *src)
{
	const char *path = comp->opts->is_set[OPT_cpppath] ? comp->opts->text[OPT_cpppath] : "cpp";
	char **argv, std = c_standard(comp);
	arg_list args = {0};

	vec_push(&args, path);
	if (std == 'c')
		vec_push(&args, "-std=c99");
	else if (std == 's')
		vec_push(&args, "-traditional-cpp");
	if (comp->opts->is_set[OPT_cpphdrs])
		vec_push(&args, "-H");
	add_macros(comp, &args);
	for (unsigned int i = 0; i < comp->cpp_args.n; i++)
		vec_push(&args, comp->cpp_args.a[i]);
	if (comp->opts->is_set[OPT_cppargs])
		add_words(comp, &args, comp->opts->text[OPT_cppargs]);
	vec_push(&args, "-iquote");
	vec_push(&args, dirname(arena_strdup(comp->arena, name_of(src))));
	argv = arena_new_arr(comp->arena, char *, args.n + 1);
	memcpy(argv, args.a, args.n * sizeof(*argv));
	vec_free(&args);
	return argv;
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Returns a descriptor at the start of the preprocessor's input; -1: errno. */
static int input(struct compile *comp, const struct source *src)
{
	const char *text = src->text;
	char std = c_standard(comp);
	struct buf b = {0};
	int fd = memfd_create("script", MFD_CLOEXEC);
	bool ok;

	if (strncmp(text, "#!", 2) == 0)
		text += strcspn(text, "\n");
	/* Flag 3 marks a system header, where #undef __STDC__ causes no warning. */
	if (std != 's')
		buf_printf(&b, "# 1 \"<dtrace>\" 3\n#undef __STDC__\n#define __STDC__ %d\n",
			   std == 'c');
	buf_printf(&b, "# 1 \"%s\"\n", name_of(src));
	ok = fd >= 0 && write_all(fd, buf_str(&b), b.n) && write_all(fd, text, strlen(text)) &&
	     lseek(fd, 0, SEEK_SET) == 0;
	buf_free(&b);
	if (ok)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Runs in the child and never returns.  Status 127: the preprocessor was not found. */
static void child(int in, int out, char *const *argv)
{
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static const char *reason(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return msg_reason(MSG_REASON_CPP_FIND);
	return msg_reason(MSG_REASON_CPP_FAILED);
}

const char *cpp_run(struct compile *comp, struct source *src)
{
	char *const *argv = arguments(comp, src);
	const char *why = msg_reason(MSG_REASON_CPP_EXEC);
	int in = input(comp, src), out[2], status = 0;
	struct buf b = {0};
	pid_t pid;

	if (in < 0)
		return why;
	if (pipe2(out, O_CLOEXEC) != 0) {
		close(in);
		return why;
	}
	pid = fork();
	if (pid == 0)
		child(in, out[1], argv);
	close(in);
	close(out[1]);
	if (pid > 0) {
		buf_read(&b, out[0]);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			continue;
		why = reason(status);
	}
	close(out[0]);
	if (!why) {
		src->written = src->text;
		src->text = arena_strndup(comp->arena, buf_str(&b), b.n);
		src->len = (unsigned int)b.n;
	}
	buf_free(&b);
	return why;
}
