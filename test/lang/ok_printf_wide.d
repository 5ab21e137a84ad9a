BEGIN { printf("%3000000d %.4000000s", 1, "x"); }
