BEGIN { x = sym(arg0); }
/* error: line 1: sym( ) may not be called from a D expression */
