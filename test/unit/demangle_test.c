/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle_test.c: names of C++ and of both schemes of Rust, as their compilers make them. */
#include "base/arena.h"
#include "proc/demangle.h"
#include "test.h"

static const struct {
	const char *name, *text;
} cases[] = {
    {"main", "main"},
    {"_ZN3foo3barEi", "foo::bar(int)"},
    {"_Z3foov.isra.0.cold", "foo() [clone .isra.0] [clone .cold]"},
    /* Rust's newer scheme. */
    {"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
    {"_RNvCs1234_7mycrate3foo.llvm.7823", "mycrate::foo"},
    {"_RNvCs1234_7mycrate3foo.cold.3", "mycrate::foo [clone .cold.3]"},
    {"_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3new", "<std::path::PathBuf>::new"},
    /* Its older scheme. */
    {"_ZN4prog2wr17hbcc4371815a3f49cE", "prog::wr"},
    {"_ZN4prog2wr17h0123456789abcdefE", "prog::wr"},
    {"_ZN4prog2wr17hbcc4371815a3f49cE.llvm.7823", "prog::wr"},
    {"_ZN4prog2wr17hbcc4371815a3f49cE.isra.0.cold", "prog::wr [clone .isra.0] [clone .cold]"},
    {"_ZN50_$LT$prog..Cart$LT$T$GT$$u20$as$u20$prog..Save$GT$4save17he8b142c293ca57f0E",
     "<prog::Cart<T> as prog::Save>::save"},
    {"_ZN50_$LT$prog..Cart$LT$T$GT$$u20$as$u20$prog..Save$GT$4save17he8b142c293ca57f0E.cold",
     "<prog::Cart<T> as prog::Save>::save [clone .cold]"},
    {"_ZN4prog4main28_$u7b$$u7b$closure$u7d$$u7d$17h930b740aa94f1d3aE", "prog::main::{{closure}}"},
    /* Functions of C++ whose names resemble it. */
    {"_ZN4prog2wr17hbcc4371815a3f49cEv", "prog::wr::hbcc4371815a3f49c()"},
    {"_ZN4prog2wr17hBCC4371815A3F49CE", "prog::wr::hBCC4371815A3F49C"},
    /* Names that are wrong stay. */
    {"_ZN46_$LT$prog..Cart$GT$4save17he8b142c293ca57f0E",
     "_ZN46_$LT$prog..Cart$GT$4save17he8b142c293ca57f0E"},
    {"_RNvCs1234_7mycrate3fo", "_RNvCs1234_7mycrate3fo"},
};

int main(void)
{
	struct arena *a = arena_new();
	struct map *known = map_new();

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int again = 0; again < 2; again++)
			CHECK_STR(demangle(known, a, cases[i].name), cases[i].text);
	map_free(known);
	arena_free(a);
	return TEST_DONE();
}
