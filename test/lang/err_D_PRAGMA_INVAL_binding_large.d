#pragma D binding "256.0" x
int x;
/* error: line 1: invalid version: 256.0 */
