/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print_test.c: the action print(): every kind of type, at the top and as a member.
 */
#include <stdint.h>

#include "print/print.h"
#include "outmem.h"
#include "test.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static struct out *o;

static const struct print_type t_int = {
    .kind = PRINT_INT, .name = "int", .size = 4, .is_signed = true};
static const struct print_type t_char = {.kind = PRINT_CHAR, .name = "char", .size = 1};
static const struct print_type t_long = {.kind = PRINT_INT, .name = "unsigned long", .size = 8};

static const char *printed(const struct print_type *t, const void *data, uint64_t len)
{
	print_value(o, t, data, len);
	return outmem_text();
}

static struct print_type array(const struct print_type *elem, uint64_t n, const char *name)
{
	return (struct print_type){
	    .kind = PRINT_ARRAY, .name = name, .size = n * elem->size, .elem = elem, .nelem = n};
}

static void test_scalars(void)
{
	static const struct print_enumerator colours[] = {{"RED", 0}, {"GREEN", -1}};
	struct print_type e = {.kind = PRINT_ENUM,
			       .name = "enum colour",
			       .size = 4,
			       .is_signed = true,
			       .enums = colours,
			       .nenums = 2};
	struct print_type ptr = {.kind = PRINT_PTR, .name = "struct node *", .size = 8};
	struct print_type fn = {.kind = PRINT_FUNCPTR, .name = "int (*)()", .size = 8};
	struct print_type flt = {.kind = PRINT_FLOAT, .name = "float", .size = 4};
	struct print_type dbl = {.kind = PRINT_FLOAT, .name = "double", .size = 8};
	struct print_type ldbl = {.kind = PRINT_FLOAT, .name = "long double", .size = 16};
	struct print_type s = {.kind = PRINT_STRING, .name = "string"};
	int32_t n = -2, zero = 0, seven = 7;
	uint64_t addr = 0x1110, none = 0;
	float f = 1.5f;
	double d = -2;
	long double l = 1;

	CHECK_STR(printed(&t_int, &n, 4), "int 0xfffffffe\n");
	CHECK_STR(printed(&t_int, &zero, 4), "int 0\n");
	CHECK_STR(printed(&t_char, "a", 1), "char 'a'\n");
	CHECK_STR(printed(&t_char, "", 1), "char '\\0'\n");
	CHECK_STR(printed(&t_char, "\n", 1), "char '\\012'\n");
	CHECK_STR(printed(&e, &zero, 4), "enum colour RED\n");
	CHECK_STR(printed(&e, &(int32_t){-1}, 4), "enum colour GREEN\n");
	CHECK_STR(printed(&e, &seven, 4), "enum colour 7\n");
	CHECK_STR(printed(&ptr, &addr, 8), "struct node * 0x1110\n");
	CHECK_STR(printed(&fn, &addr, 8), "int (*)() vmlinux`vfs_read+0x10\n");
	CHECK_STR(printed(&fn, &none, 8), "int (*)() 0\n");
	CHECK_STR(printed(&flt, &f, 4), "float +1.5000000e+00\n");
	CHECK_STR(printed(&dbl, &d, 8), "double -2.0000000e+00\n");
	CHECK_STR(printed(&ldbl, &l, 16), "long double +1.0000000000000000E+00\n");
	CHECK_STR(printed(&s, "text", 5), "string \"text\"\n");
	CHECK_STR(printed(&t_int, &n, 3), "int ...\n");
}

static void test_arrays(void)
{
	static const int32_t n[] = {1, 2, 3};
	struct print_type ints = array(&t_int, 3, "int [3]"), chars = array(&t_char, 4, "char [4]");
	struct print_type none = array(&t_int, 0, "int [0]");

	CHECK_STR(printed(&ints, n, 12), "int [3] [ 0x1, 0x2, 0x3 ]\n");
	CHECK_STR(printed(&ints, n, 8), "int [3] [ 0x1, 0x2, ... ]\n");
	CHECK_STR(printed(&chars, "ab\0\1", 4), "char [4] \"ab\"\n");
	CHECK_STR(printed(&chars, "abcd", 4), "char [4] \"abcd\"\n");
	CHECK_STR(printed(&chars, "a\1b", 4), "char [4] [ 'a', '\\001', 'b', '\\0' ]\n");
	CHECK_STR(printed(&none, n, 0), "int [0] [ ]\n");
}

static void test_structs(void)
{
	struct print_type chars = array(&t_char, 4, "char [4]");
	struct print_type ptr = {.kind = PRINT_PTR, .name = "struct node *", .size = 8};
	struct print_member inner[] = {{"name", &chars, 0, 0}, {"next", &ptr, 64, 0}};
	struct print_type tag = {.kind = PRINT_STRUCT,
				 .name = "struct",
				 .size = 16,
				 .members = inner,
				 .nmembers = N(inner)};
	struct print_member outer[] = {
	    {"x", &t_int, 0, 0}, {"y", &t_int, 32, 0}, {"tag", &tag, 64, 0}};
	struct print_type point = {.kind = PRINT_STRUCT,
				   .name = "point_t",
				   .size = 24,
				   .members = outer,
				   .nmembers = N(outer)};
	struct {
		int32_t x, y;
		char name[8];
		uint64_t next;
	} data = {3, -2, "ab", 0};

	CHECK_STR(printed(&point, &data, sizeof(data)), "point_t {\n"
							"    int x = 0x3\n"
							"    int y = 0xfffffffe\n"
							"    struct tag = {\n"
							"        char [4] name = [ \"ab\" ]\n"
							"        struct node *next = 0\n"
							"    }\n"
							"}");
	CHECK_STR(printed(&point, &data, 8), "point_t {\n"
					     "    int x = 0x3\n"
					     "    int y = 0xfffffffe\n"
					     "    struct tag = ...\n"
					     "}");
}

static void test_bitfields_and_nesting(void)
{
	struct print_member bits[] = {
	    {"a", &t_int, 0, 3}, {"b", &t_int, 3, 7}, {"c", &t_long, 60, 64}};
	struct print_type flags = {.kind = PRINT_STRUCT,
				   .name = "struct flags",
				   .size = 16,
				   .members = bits,
				   .nmembers = N(bits)};
	static const uint8_t data[32] = {0xfd, 0x01, 0, 0, 0, 0, 0, 0x10};
	struct print_type two = array(&flags, 2, "struct flags [2]");
	struct print_member anon[] = {{NULL, &flags, 0, 0}, {"all", &two, 0, 0}};
	struct print_type outer = {.kind = PRINT_STRUCT,
				   .name = "union u",
				   .size = 32,
				   .members = anon,
				   .nmembers = N(anon)};

	CHECK_STR(printed(&outer, data, 32), "union u {\n"
					     "    struct flags {\n"
					     "        int a :3 = 0x5\n"
					     "        int b :7 = 0x3f\n"
					     "        unsigned long c :64 = 0x1\n"
					     "    }\n"
					     "    struct flags [2] all = [ \n"
					     "        struct flags {\n"
					     "            int a :3 = 0x5\n"
					     "            int b :7 = 0x3f\n"
					     "            unsigned long c :64 = 0x1\n"
					     "        }, \n"
					     "        struct flags {\n"
					     "            int a :3 = 0\n"
					     "            int b :7 = 0\n"
					     "            unsigned long c :64 = 0\n"
					     "        }\n"
					     "    ]\n"
					     "}");
}

int main(void)
{
	o = outmem_start();
	o->syms = &outmem_syms;
	test_scalars();
	test_arrays();
	test_structs();
	test_bitfields_and_nesting();
	outmem_end();
	return TEST_DONE();
}
