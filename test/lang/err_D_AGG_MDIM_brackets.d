BEGIN { @a[1][2] = count(); }
/* error: line 1: improper use of aggregation @a: it has one list of keys */
