/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_test.c: events that a source of perf events lists in its files.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kern/kern.h"
#include "sys/machine.h"
#include "test.h"

static char dir[] = "/tmp/event_testXXXXXX";
static const char *const folders[] = {"events", "format"};
static struct kern *kern;

static const char *const files[][2] = {
    {"type", "4\n"},
    {"format/event", "config:0-7,32-35\n"},
    {"format/umask", "config:8-15\n"},
    {"format/edge", "config:18\n"},
    {"format/ldlat", "config1:0-15\n"},
    {"format/odd", "config9:0-3\n"},
    {"events/cycles", "event=0x3c,umask=0x01\n"},
    {"events/high", "event=0x1c5,umask=0x2,edge\n"},
    {"events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
    {"events/open", "event=0xcd,umask=?\n"},
    {"events/large", "umask=0x100\n"},
    {"events/unknown", "nosuch=1\n"},
    {"events/beyond", "odd=1\n"},
    {"events/mem-loads.unit", "Joules\n"},
};

#define NFILES (sizeof(files) / sizeof(files[0]))

static const char *path_of(const char *file)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return path;
}

static void make(void)
{
	CHECK(mkdtemp(dir) != NULL);
	for (size_t i = 0; i < 2; i++)
		CHECK(mkdir(path_of(folders[i]), 0700) == 0);
	for (size_t i = 0; i < NFILES; i++) {
		FILE *f = fopen(path_of(files[i][0]), "w");

		CHECK(f && fputs(files[i][1], f) >= 0 && fclose(f) == 0);
	}
}

static void take_away(void)
{
	for (size_t i = 0; i < NFILES; i++)
		unlink(path_of(files[i][0]));
	for (size_t i = 0; i < 2; i++)
		rmdir(path_of(folders[i]));
	rmdir(dir);
}

static void is_event(const char *name, uint64_t config, uint64_t config1)
{
	struct kern_event e;

	CHECK(kern_event_read(kern, dir, name, &e));
	CHECK_INT(e.type, 4);
	CHECK_INT(e.config[0], config);
	CHECK_INT(e.config[1], config1);
}

static void count(void *ctx, const char *name)
{
	++*(int *)ctx;
}

int main(void)
{
	struct machine *here = machine_here();
	struct kern_event e;
	int n = 0;

	kern = kern_open(here);
	make();
	is_event("cycles", 0x13c, 0);
	is_event("high", 0x1000402c5, 0);
	is_event("mem-loads", 0x1cd, 3);
	CHECK(!kern_event_read(kern, dir, "open", &e));
	CHECK(!kern_event_read(kern, dir, "large", &e));
	CHECK(!kern_event_read(kern, dir, "unknown", &e));
	CHECK(!kern_event_read(kern, dir, "beyond", &e));
	CHECK(!kern_event_read(kern, dir, "nosuch", &e));
	CHECK(!kern_event_read(kern, dir, "../type", &e));
	kern_event_names(kern, dir, count, &n);
	CHECK_INT(n, 7);
	take_away();
	kern_close(kern);
	machine_free(here);
	return TEST_DONE();
}
