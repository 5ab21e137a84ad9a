BEGIN { } "x" { }
/* error: line 1: syntax error near """ */
