signed unsigned x;
/* error: line 1: type attributes exclude each other */
