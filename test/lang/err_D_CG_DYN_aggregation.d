BEGIN { @a = count(); x = @a; }
/* error: line 1: an aggregation has no value that could be assigned */
