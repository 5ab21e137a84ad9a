int *p;
BEGIN { trace(pid ? p : 1); }
/* error: line 2: branches of ?: have incompatible types: "int *" : "int" */
