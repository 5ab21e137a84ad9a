BEGIN { @a = count(); @a = sum(1); }
/* error: line 1: aggregation redefined: @a
	 current: @a = sum( )
	previous: @a = count( ) */
