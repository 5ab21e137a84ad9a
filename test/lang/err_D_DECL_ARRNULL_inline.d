inline int x[4] = 1;
