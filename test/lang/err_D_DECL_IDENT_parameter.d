int f(foo);
/* error: line 1: declaration has no type, or foo is not the name of one */
