BEGIN { trace(sizeof (void)); }
/* error: line 1: sizeof may not be applied to this type: void */
