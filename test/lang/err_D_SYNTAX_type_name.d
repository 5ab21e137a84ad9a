BEGIN { trace(pid_t); }
/* error: line 1: syntax error near "pid_t" */
