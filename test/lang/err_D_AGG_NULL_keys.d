BEGIN { @x[1]; }
/* error: line 1: expression statement has no effect: aggregation @x is not assigned */
