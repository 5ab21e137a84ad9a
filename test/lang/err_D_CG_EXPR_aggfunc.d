BEGIN { x = count(); }
/* error: line 1: count( ) may not be called from a D expression */
