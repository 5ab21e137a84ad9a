/* -P */
1
/* error: line 1: invalid probe description "1": probe id is not allowed here or not valid */
