BEGIN / x == 0 / { x = 1; }
