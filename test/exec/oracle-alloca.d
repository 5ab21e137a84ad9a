/* only the memory that alloca() gave to the clause is usable; rows: DIALECT_EXACT_ALLOCA DTRACEFLT_BADSIZE dialect */
#pragma D option quiet
#pragma D option dialect=oracle

BEGIN { p = (char *)alloca(5); p[4] = 'x'; trace(p[4]); }
BEGIN { p = (char *)alloca(5); p[5] = 'x'; trace("stored behind"); }
BEGIN { p = (char *)alloca(5); trace(p[5]); trace("read behind"); }
BEGIN { q = (char *)alloca(8); bcopy("12345", q, 5); trace(stringof(q)); }
BEGIN { q = alloca(64); p = (char *)alloca(5); bcopy(p, q, 5); trace("copied"); }
BEGIN { q = alloca(64); p = (char *)alloca(5); bcopy(p, q, 6); trace("copied more"); }
BEGIN { p[0] = 'x'; trace("of another clause"); }
dtrace:::ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
