/* speculate() of 0, of an inactive number, or without room, ends its clause. */
#pragma D option quiet
#pragma D option nspec=2
#pragma D option specsize=16

int n;

BEGIN { speculate(0); printf("zero"); n += 1; }
BEGIN { speculate(2); printf("inactive"); n += 10; }
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace((int32_t)7); n += 100; }
BEGIN { speculate(s); trace((int32_t)8); n += 1000; }
BEGIN { commit(s); }
BEGIN { printf(" %d\n", n); exit(0); }
