BEGIN { @a = count(); trunc(@a, "x"); }
/* error: line 1: trunc( ) argument #2 must be of scalar type */
