test::bad:int { trace(nosuch); }
/* error: line 1: invalid probe description "test::bad:int": the function is bad */
