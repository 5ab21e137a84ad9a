BEGIN { trace("a" "b"); }
/* error: line 1: syntax error near ""b"" */
