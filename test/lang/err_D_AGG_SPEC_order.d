BEGIN { speculate(1); @a = count(); }
/* error: line 1: aggregation @a may not follow speculate( ) */
