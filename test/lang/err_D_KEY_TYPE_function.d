extern int untyped(int);
BEGIN { k[untyped] = 1; }
/* error: line 2: an expression of type int (int) may not be used as a key */
