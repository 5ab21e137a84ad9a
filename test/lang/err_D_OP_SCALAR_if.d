BEGIN { if (execname) { trace(1); } }
/* error: line 1: the condition of if must be of scalar type: string */
