BEGIN { trace(stack() == pid); }
/* error: line 1: operands have incompatible types: "stack" == "pid_t" */
