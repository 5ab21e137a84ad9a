int f(foo);
