/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * version.c: versions of the D language.  A program may select an older one (option version), which
 * hides later names.  A version is a number that orders as the versions do: 8 bits major, 12 bits
 * minor, 12 bits micro, as in the macro __SUNW_D_VERSION.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/version.h"

/* The versions of the language, in their order. */
static const char *const versions[] = {
    "1.0",   "1.1",   "1.2",   "1.2.1", "1.2.2",  "1.3",   "1.4",	   "1.4.1", "1.5",
    "1.6",   "1.6.1", "1.6.2", "1.6.3", "1.7",	  "1.7.1", "1.8",	   "1.8.1", "1.9",
    "1.9.1", "1.10",  "1.11",  "1.12",	"1.12.1", "1.13",  VERSION_LATEST,
};

/* Built-in names introduced after version 1.0.  Libraries use a pragma instead. */
static const struct {
	const char *name, *version;
} since[] = {
    {"freopen", "1.1"},	    {"index", "1.1"},	   {"rindex", "1.1"},	   {"strchr", "1.1"},
    {"strrchr", "1.1"},	    {"strstr", "1.1"},	   {"strtok", "1.1"},	   {"substr", "1.1"},
    {"func", "1.2"},	    {"mod", "1.2"},	   {"setopt", "1.2"},	   {"sym", "1.2"},
    {"uaddr", "1.2"},	    {"ucaller", "1.2"},	   {"ufunc", "1.2"},	   {"umod", "1.2"},
    {"ustackdepth", "1.2"}, {"usym", "1.2"},	   {"htonl", "1.3"},	   {"htonll", "1.3"},
    {"htons", "1.3"},	    {"ntohl", "1.3"},	   {"ntohll", "1.3"},	   {"ntohs", "1.3"},
    {"inet_ntoa", "1.5"},   {"inet_ntoa6", "1.5"}, {"inet_ntop", "1.5"},   {"stddev", "1.6"},
    {"llquantize", "1.7"},  {"tolower", "1.8"},	   {"toupper", "1.8"},	   {"print", "1.9"},
    {"json", "1.11"},	    {"strtoll", "1.11"},   {"threadname", "1.14"},
};

bool version_parse(const char *s, uint32_t *v)
{
	static const unsigned long most[] = {0xff, 0xfff, 0xfff};
	unsigned long part[3] = {0};
	unsigned int n = 0;
	char *end;

	for (;;) {
		if (n == 3 || !isdigit((unsigned char)*s))
			return false;
		part[n] = strtoul(s, &end, 10);
		if (part[n] > most[n])
			return false;
		n++;
		if (!*end)
			break;
		if (*end != '.')
			return false;
		s = end + 1;
	}
	*v = (uint32_t)(part[0] << 24 | part[1] << 12 | part[2]);
	return n > 1;
}

bool version_is_known(uint32_t v)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		uint32_t known;

		if (version_parse(versions[i], &known) && known == v)
			return true;
	}
	return false;
}

const char *version_since(const char *name)
{
	for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++)
		if (strcmp(since[i].name, name) == 0)
			return since[i].version;
	return NULL;
}
