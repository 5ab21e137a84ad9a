BEGIN { x = exit(0); trace((void)1); }
/* error: line 1: trace( ) may not be applied to an expression of type void */
