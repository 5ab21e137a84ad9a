BEGIN { x = pid % 0; }
/* error: line 1: expression contains division by zero */
