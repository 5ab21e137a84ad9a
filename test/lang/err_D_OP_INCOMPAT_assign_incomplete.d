struct nosuch *p;
BEGIN { x = *p; }
/* error: line 2: a value of type struct nosuch may not be assigned to a variable */
