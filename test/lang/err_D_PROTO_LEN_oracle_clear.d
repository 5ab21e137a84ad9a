/* option: dialect=oracle */
BEGIN { @a = count(); clear(); }
/* error: line 2: clear( ) prototype mismatch: 0 arguments passed, 1 expected */
