BEGIN { exit(0); speculate(1); }
/* error: line 1: speculate( ) may not follow data-recording action(s) */
