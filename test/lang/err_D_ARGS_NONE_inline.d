inline int x = args[0];
/* error: line 1: args[ ] may not be referenced because there is no probe here */
