BEGIN { trace(1 - (char *)0); }
