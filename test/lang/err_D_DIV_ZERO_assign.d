BEGIN { x = 1; x /= 0; }
/* error: line 1: expression contains division by zero */
