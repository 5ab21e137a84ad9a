BEGIN { @a = count(); print(@a); }
/* error: line 1: print( ) may not be applied to an aggregation */
