/* -i */
BEGIN
/* error: line 1: invalid probe description "BEGIN": want a probe id */
