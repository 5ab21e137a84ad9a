BEGIN { trace(strlen); }
/* error: line 1: strlen is not a variable */
