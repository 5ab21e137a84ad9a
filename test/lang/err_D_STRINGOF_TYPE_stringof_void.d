BEGIN { trace(stringof((void)1)); }
/* error: line 1: stringof may not be applied to a value of this type: void */
