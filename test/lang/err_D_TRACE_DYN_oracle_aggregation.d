/* option: dialect=oracle */
BEGIN { @a = count(); trace(@a); }
/* error: line 2: trace( ) may not be applied to an aggregation */
