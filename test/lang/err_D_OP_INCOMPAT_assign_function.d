extern int untyped(int);
BEGIN { f = untyped; }
/* error: line 2: a value of type int (int) may not be assigned to a variable */
