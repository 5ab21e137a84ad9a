BEGIN { printf("%-%", 1); }
