BEGIN { trace(exit(0)); }
/* error: line 1: trace( ) may not be applied to an expression of type void */
