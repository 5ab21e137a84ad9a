BEGIN { @a[1] = count(); @a = count(); }
/* error: line 1: aggregation @a prototype mismatch: 0 keys passed, 1 expected */
