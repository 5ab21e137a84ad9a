struct nosuch;
BEGIN { trace(sizeof (struct nosuch)); }
/* error: line 2: sizeof may not be applied to this type: struct nosuch */
