BEGIN { trace(18446744073709551616); }
/* error: line 1: integer constant 18446744073709551616 is too large */
