BEGIN { bcopy(1, (void *)0, 1); }
