#pragma D binding "1.2.3.4" x
int x;
/* error: line 1: invalid version: 1.2.3.4 */
