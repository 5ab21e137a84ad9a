BEGIN
/* error: line 2: syntax error near end of input */
