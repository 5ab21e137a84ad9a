/* option: dialect=oracle */
BEGIN { @a = count(); trunc(@a, "x"); }
/* error: line 2: trunc( ) argument #2 must be of scalar type */
