int *p;
long *q;
BEGIN { trace(pid ? p : q); }
/* error: line 3: branches of ?: have incompatible types: "int *" : "long *" */
