int x[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];
BEGIN { trace(x[0]); }
/* error: line 1: declarator is too complicated near "]" */
