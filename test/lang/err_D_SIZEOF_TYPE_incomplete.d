struct nosuch;
BEGIN { trace(sizeof (struct nosuch)); }
