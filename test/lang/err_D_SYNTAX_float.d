BEGIN { x = 1.5; }
/* error: line 1: syntax error: floating-point constants are not permitted near "1.5" */
