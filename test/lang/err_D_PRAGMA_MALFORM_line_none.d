#line
BEGIN { }
/* error: line 1: malformed #line: expected a line number and a file name in quotes */
