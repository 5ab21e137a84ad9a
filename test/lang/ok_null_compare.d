BEGIN { x = "a"; trace(x == NULL); trace((char *)0 == NULL); }
