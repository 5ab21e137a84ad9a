BEGIN { @a = count(); @a; }
/* error: line 1: expression statement has no effect: aggregation @a is not assigned */
