int foo`x;
