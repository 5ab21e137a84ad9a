BEGIN { print(bcopy((void *)0, (void *)0, 1)); }
/* error: line 1: print( ) may not be applied to an expression of type void */
