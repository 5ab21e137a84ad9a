int f(void x);
/* error: line 1: void parameter may not have a name */
