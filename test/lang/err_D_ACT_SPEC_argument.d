BEGIN { speculate(1); trace((copyout(0, 0, 1), 1)); }
/* error: line 1: trace( ) may not follow speculate( ): it is destructive */
