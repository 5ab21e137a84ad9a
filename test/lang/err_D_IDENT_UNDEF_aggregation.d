BEGIN { @x; }
/* error: line 1: undefined aggregation: @x */
