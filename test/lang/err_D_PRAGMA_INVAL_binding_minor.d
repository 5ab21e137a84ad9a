#pragma D binding "1.4096" x
int x;
/* error: line 1: invalid version: 1.4096 */
