#pragma D depends_on nothing x
/* error: line 1: invalid class of #pragma D depends_on: nothing */
