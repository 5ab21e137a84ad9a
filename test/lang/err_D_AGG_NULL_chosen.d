BEGIN { @a = count(); 1 ? @a : 1; }
/* error: line 1: expression statement has no effect: aggregation @a is not assigned */
