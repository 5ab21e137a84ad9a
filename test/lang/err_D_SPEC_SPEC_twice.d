BEGIN { speculate(1); speculate(1); }
/* error: line 1: speculate( ) may not follow speculate( ): one is allowed in a clause */
