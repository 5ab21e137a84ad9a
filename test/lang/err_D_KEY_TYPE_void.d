BEGIN { x[bcopy((void *)0, (void *)0, 1)] = 1; }
