/* library */
site v:::x test:::int { return (1); }
/* error: line 2: syntax error near "test:::int" */
