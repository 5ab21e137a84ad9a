static int f(int);
