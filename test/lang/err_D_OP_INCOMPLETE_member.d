struct nosuch;
BEGIN { trace(((struct nosuch *)0)->a); }
/* error: line 2: operator -> may not be applied to an incomplete type: struct nosuch */
