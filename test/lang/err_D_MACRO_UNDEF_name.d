BEGIN { trace($nosuch); }
/* error: line 1: macro $nosuch is not defined */
