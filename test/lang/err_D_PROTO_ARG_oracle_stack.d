/* option: dialect=oracle; rows: DIALECT_PROTO_FIRST */
BEGIN { stack("x"); }
/* error: line 2: stack( ) argument #1 must be a positive integer constant */
