void *p;
BEGIN { p += 1; }
/* error: line 2: operator += requires an operand that points to something of known size */
