test:::two { trace(args[pid]); }
/* error: line 1: index of args[ ] must be an integer constant */
