BEGIN { freopen("."); }
/* error: line 1: freopen( ) may not be applied to this reserved path */
