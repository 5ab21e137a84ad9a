BEGIN { speculate(1); exit(0); }
/* error: line 1: exit( ) may not follow speculate( ) */
