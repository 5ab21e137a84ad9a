#line x
BEGIN { }
/* error: line 1: malformed #line: want a line number and a file name in quotes */
