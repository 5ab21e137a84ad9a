#pragma D binding "1.x" x
int x;
/* error: line 1: invalid version: 1.x */
