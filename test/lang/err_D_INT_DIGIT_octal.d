BEGIN { trace(08); }
/* error: line 1: invalid digit '8' in constant of base 8 */
