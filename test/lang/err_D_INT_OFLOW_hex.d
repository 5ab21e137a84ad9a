BEGIN { trace(0x10000000000000000); }
/* error: line 1: integer constant 0x10000000000000000 is too large */
