/* A number above nspec: a fault for commit() and discard(); speculate() ends the clause. */
#pragma D option quiet
#pragma D option nspec=2

BEGIN { discard(2); printf("two\n"); }
BEGIN { discard(3); printf("never"); }
BEGIN { commit(-1); n = 1; }
BEGIN { speculate(3); printf("never"); }
BEGIN { speculate(4294967297); printf("never"); }
ERROR /arg4 == 3/ { faults++; }
BEGIN /n || faults != 2/ { printf("n is %d after %d faults", n, faults); }
