/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table_test.c: headings, record headers, flow indentation, the listings of -l, -lv and -v.
 */
#include "print/table.h"
#include "outmem.h"
#include "test.h"

#define ATTRS                             \
	"\t\tIdentifier Names: Stable\n"  \
	"\t\tData Semantics:   Private\n" \
	"\t\tDependency Class: ISA\n"

static struct out *o;
static const struct table_attr attr = {"Stable", "Private", "ISA"};

static void test_records(void)
{
	struct table_rec begin = {0, 1, 0, "dtrace", "", "BEGIN"};
	struct table_rec openat = {1, 312, 0, "syscall", "openat", "entry"};
	struct table_rec longname = {12,     1234567, 0, "fbt", "a_function_with_a_very_long_name",
				     "entry"};

	table_heading(o);
	CHECK_STR(outmem_text(), "CPU     ID                    FUNCTION:NAME\n");
	table_record(o, &begin);
	table_record_end(o);
	CHECK_STR(outmem_text(), "  0      1                           :BEGIN \n");
	table_record(o, &openat);
	CHECK_STR(outmem_text(), "  1    312                     openat:entry ");
	table_record(o, &longname);
	CHECK_STR(outmem_text(), " 12 1234567 a_function_with_a_very_long_name:entry ");
	o->opts.no_columns = true;
	table_heading(o);
	table_record(o, &begin);
	CHECK_STR(outmem_text(), "                   FUNCTION:NAME\n"
				 "                          :BEGIN ");
	o->opts.no_columns = false;
	o->opts.quiet = true;
	table_heading(o);
	table_record(o, &begin);
	table_record_end(o);
	CHECK_STR(outmem_text(), "");
	o->opts.flowindent = true;
	table_heading(o);
	table_record_end(o);
	CHECK_STR(outmem_text(), "CPU FUNCTION                                 \n\n");
	o->opts.no_columns = true;
	table_heading(o);
	CHECK_STR(outmem_text(), "FUNCTION                                 \n");
	o->opts.no_columns = false;
	o->opts.flowindent = o->opts.quiet = false;
}

/* Returns the records one after the other. */
static const char *flow(const struct table_rec *r, unsigned int n)
{
	struct table_flow f = {0};

	o->opts.flowindent = true;
	for (unsigned int i = 0; i < n; i++) {
		table_flow_record(o, &f, &r[i], i + 1 < n ? &r[i + 1] : NULL);
		table_record_end(o);
	}
	o->opts.flowindent = false;
	return outmem_text();
}

static void test_flow(void)
{
	static const struct table_rec simple[] = {
	    {0, 10, 0, "fbt", "f", "entry"},
	    {0, 11, 0, "pid7", "g", "func-entry"},
	    {0, 12, 2, "sdt", "g", "probe"},
	    {0, 13, 1, "pid7", "g", "func-return"},
	    {0, 14, 1, "fbt", "f", "return"},
	    {0, 15, 3, "syscall", "read", "entry", .is_gate = true},
	    {0, 16, 4, "syscall", "read", "return", .is_gate = true},
	    {0, 16, 4, "syscall", "read", "return", .is_gate = true},
	};
	CHECK_STR(flow(simple, 8), "  0  -> f                                     \n"
				   "  0    -> g                                   \n"
				   "  0     | g:probe                             \n"
				   "  0    <- g                                   \n"
				   "  0  <- f                                     \n"
				   "  0  => read                                  \n"
				   "  0  <= read                                  \n"
				   "  0  <= read                                  \n");

	/* two clauses on each probe, and f calls itself */
	static const struct table_rec twice[] = {
	    {3, 10, 1, "fbt", "f", "entry"},  {3, 10, 2, "fbt", "f", "entry"},
	    {3, 10, 1, "fbt", "f", "entry"},  {3, 10, 2, "fbt", "f", "entry"},
	    {3, 11, 3, "fbt", "f", "return"}, {3, 11, 4, "fbt", "f", "return"},
	    {3, 11, 3, "fbt", "f", "return"}, {3, 11, 4, "fbt", "f", "return"},
	};
	CHECK_STR(flow(twice, 8), "  3  -> f                                     \n"
				  "  3   | f:entry                               \n"
				  "  3    -> f                                   \n"
				  "  3     | f:entry                             \n"
				  "  3     | f:return                            \n"
				  "  3    <- f                                   \n"
				  "  3   | f:return                              \n"
				  "  3  <- f                                     \n");
	static const struct table_rec begin = {0, 1, 0, "dtrace", "", "BEGIN"};
	CHECK_STR(flow(&begin, 1), "  0 | :BEGIN                                  \n");
	static const struct table_rec reentry = {0, 1, 0, "x", "f", "reentry"};
	CHECK_STR(flow(&reentry, 1), "  0 | f:reentry                               \n");
}

static void test_listing(void)
{
	static const struct table_arg args[] = {
	    {"int", false}, {"const char *", true}, {NULL, false}};
	struct table_probe begin = {1, "dtrace", "", "", "BEGIN", attr, attr, NULL, 0};
	struct table_probe openat = {57,   "syscall", "vmlinux", "openat", "entry",
				     attr, attr,      args,	 3};

	table_list_heading(o);
	table_list_row(o, &begin);
	table_list_row(o, &openat);
	CHECK_STR(outmem_text(),
		  "   ID   PROVIDER            MODULE                          FUNCTION NAME\n"
		  "    1     dtrace                                                     BEGIN\n"
		  "   57    syscall           vmlinux                            openat entry\n");
	table_list_attrs(o, &openat);
	CHECK_STR(outmem_text(), "\n\tProbe Description Attributes\n" ATTRS
				 "\n\tArgument Attributes\n" ATTRS "\n\tArgument Types\n"
				 "\t\targs[0]: int\n"
				 "\t\targs[1]: userland const char *\n"
				 "\t\targs[2]: (unknown)\n\n");
	table_list_attrs(o, &begin);
	CHECK_STR(outmem_text(), "\n\tProbe Description Attributes\n" ATTRS
				 "\n\tArgument Attributes\n" ATTRS "\n\tArgument Types\n"
				 "\t\tNone\n\n");
	table_stability(o, false, "BEGIN", &attr, &attr, false);
	CHECK_STR(outmem_text(), "\nStability attributes for description BEGIN:\n"
				 "\n\tMinimum Probe Description Attributes\n" ATTRS
				 "\n\tMinimum Statement Attributes\n" ATTRS "\n");
	table_stability(o, true, "x.d", &attr, &attr, true);
	table_clause(o, &begin);
	CHECK_STR(outmem_text(), "\nStability attributes for script x.d:\n"
				 "\n\tMinimum Probe Description Attributes\n" ATTRS
				 "\n\tMinimum Statement Attributes\n" ATTRS "\ndtrace:::BEGIN\n"
				 "\n\tProbe Description Attributes\n" ATTRS
				 "\n\tArgument Attributes\n" ATTRS "\n\tArgument Types\n"
				 "\t\tNone\n\n");
}

int main(void)
{
	o = outmem_start();
	test_records();
	test_flow();
	test_listing();
	outmem_end();
	return TEST_DONE();
}
