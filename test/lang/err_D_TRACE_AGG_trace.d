BEGIN { @a = count(); trace(@a); }
/* error: line 1: trace( ) may not be applied to an aggregation */
