int x[4][int];
