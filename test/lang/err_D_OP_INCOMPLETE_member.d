struct nosuch;
BEGIN { trace(((struct nosuch *)0)->a); }
