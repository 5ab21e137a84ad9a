BEGIN { x = (void *)0; x += 1; }
