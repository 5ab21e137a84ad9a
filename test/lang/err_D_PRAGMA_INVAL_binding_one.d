#pragma D binding "1" x
int x;
/* error: line 1: invalid version: 1 */
