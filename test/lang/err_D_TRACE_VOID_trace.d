BEGIN { trace(bcopy((void *)0, (void *)0, 1)); }
