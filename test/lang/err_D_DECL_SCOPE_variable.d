int foo`x;
/* error: line 1: scoping operator may not be used in a declaration: foo`x */
