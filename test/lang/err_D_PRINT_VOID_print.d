BEGIN { print(bcopy((void *)0, (void *)0, 1)); }
