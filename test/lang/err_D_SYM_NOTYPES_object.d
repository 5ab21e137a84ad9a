BEGIN { trace(a.out`bare); }
/* error: line 1: no symbolic type information is available for a.out`bare */
