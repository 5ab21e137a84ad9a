BEGIN { x[1] += 1; }
/* error: line 1: x has not yet been declared or assigned */
