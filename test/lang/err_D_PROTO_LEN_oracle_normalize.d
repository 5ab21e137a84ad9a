/* option: dialect=oracle */
BEGIN { @a = count(); normalize(@a); }
/* error: line 2: normalize( ) prototype mismatch: 1 argument passed, 2 expected */
