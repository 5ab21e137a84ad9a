inline int f[int] = 1;
