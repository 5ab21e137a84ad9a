BEGIN { commit(1); @a = sum("x"); }
/* error: line 1: sum( ) argument #1 must be of scalar type: string */
