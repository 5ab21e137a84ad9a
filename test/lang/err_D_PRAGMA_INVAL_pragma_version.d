#pragma D binding "1.x" pid
/* error: line 1: invalid version: 1.x */
