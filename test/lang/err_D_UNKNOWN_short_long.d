short long x;
/* error: line 1: type attributes exclude each other */
