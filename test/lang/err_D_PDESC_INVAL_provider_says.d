test::bad:int { }
/* error: line 1: invalid probe description "test::bad:int": the function is bad */
