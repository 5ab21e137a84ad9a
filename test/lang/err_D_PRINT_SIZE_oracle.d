/* option: dialect=oracle */
BEGIN { print((void *)0); }
/* error: line 2: print( ) argument #1 points to a type without a size */
