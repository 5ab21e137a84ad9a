/* -i */
BEGIN
/* error: line 1: invalid probe description "BEGIN": expected a probe id */
