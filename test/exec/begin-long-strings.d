/* Clauses of BEGIN run before any record is read: their records all fit, however long. */
#pragma D option quiet
#pragma D option strsize=60000

BEGIN { printf("%s%d ", probename, 0); }
BEGIN { printf("%s%d ", probename, 1); }
BEGIN { printf("%s%d ", probename, 2); }
BEGIN { printf("%s%d ", probename, 3); }
BEGIN { printf("%s%d ", probename, 4); }
BEGIN { printf("%s%d ", probename, 5); }
BEGIN { printf("%s%d ", probename, 6); }
BEGIN { printf("%s%d ", probename, 7); }
BEGIN { printf("%s%d ", probename, 8); }
BEGIN { printf("%s%d ", probename, 9); }
BEGIN { printf("%s%d ", probename, 10); }
BEGIN { printf("%s%d ", probename, 11); }
BEGIN { exit(0); }
