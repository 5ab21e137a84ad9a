#pragma D binding "1.2" x y
int x;
/* error: line 1: malformed #pragma D binding: expected a version in quotes and a name */
