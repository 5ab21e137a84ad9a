/* option: dialect=oracle */
BEGIN { @a = count(); normalize(@a, "x"); }
/* error: line 2: normalize( ) argument #2 must be of scalar type */
