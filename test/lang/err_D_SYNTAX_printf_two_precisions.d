BEGIN { printf("%.3.4d", 1); }
