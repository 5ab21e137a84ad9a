/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c: facts about a process by its number, without a cache.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/proc.h"

/* Reads the field after the program's name, which may contain any character. */
static uint32_t parent_of(uint32_t pid)
{
	char path[64], line[512];
	unsigned int parent = 0;
	const char *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = file_stream(path);
	if (!f)
		return 0;
	end = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return end && sscanf(end, ") %*c %u", &parent) == 1 ? parent : 0;
}

bool proc_descends(uint32_t pid, uint32_t from)
{
	while (pid && pid != from)
		pid = parent_of(pid);
	return pid == from;
}

const char *proc_exe_path(uint32_t thread, char path[PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%u/exe", thread);
	n = readlink(link, path, PATH_MAX - 1);
	path[n < 0 ? 0 : n] = '\0';
	return path;
}

bool proc_comm(uint32_t pid, char comm[PROC_COMM])
{
	char path[64];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	f = file_stream(path);
	ok = f && fgets(comm, PROC_COMM, f);
	if (f)
		fclose(f);
	if (ok)
		comm[strcspn(comm, "\n")] = '\0';
	return ok;
}

uint32_t proc_thread(uint32_t pid)
{
	char path[PATH_MAX];
	uint32_t thread = pid;
	struct dirent *e;
	DIR *dir;

	if (*proc_exe_path(pid, path))
		return pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	while (dir && thread == pid && (e = readdir(dir))) {
		uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);

		if (tid && *proc_exe_path(tid, path))
			thread = tid;
	}
	if (dir)
		closedir(dir);
	return thread;
}

uint64_t proc_auxv(uint32_t pid, uint64_t type)
{
	char path[64];
	uint64_t pair[2] = {0}, value = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/auxv", pid);
	f = file_stream(path);
	while (f && !value && fread(pair, sizeof(pair), 1, f) == 1)
		if (pair[0] == type)
			value = pair[1];
	if (f)
		fclose(f);
	return value;
}
