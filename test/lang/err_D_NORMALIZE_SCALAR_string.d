BEGIN { @a = count(); normalize(@a, "x"); }
/* error: line 1: normalize( ) argument #2 must be of scalar type */
