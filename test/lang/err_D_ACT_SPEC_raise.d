BEGIN { speculate(1); raise(9); }
/* error: line 1: raise( ) may not follow speculate( ): it is destructive */
