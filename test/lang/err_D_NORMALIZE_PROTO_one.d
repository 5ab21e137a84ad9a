BEGIN { @a = count(); normalize(@a); }
/* error: line 1: normalize( ) prototype mismatch: 1 argument passed, 2 expected */
