BEGIN { x = exit(0); }
/* error: line 1: exit( ) may not be called from a D expression */
