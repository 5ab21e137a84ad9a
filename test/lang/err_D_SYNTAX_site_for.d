/* library */
site v:::x from test:::int for args[0]) { return (1); }
/* error: line 2: syntax error near "args" */
