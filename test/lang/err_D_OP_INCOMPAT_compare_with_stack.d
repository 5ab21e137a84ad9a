BEGIN { trace(pid == stack()); }
/* error: line 1: operands have incompatible types: "pid_t" == "stack" */
