unsigned float x;
/* error: line 1: signed and unsigned may only be used with integer types */
