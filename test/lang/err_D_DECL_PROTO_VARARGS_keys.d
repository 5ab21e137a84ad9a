int x[int, ...];
