BEGIN { trace(pid.x); }
/* error: line 1: operator . requires a struct or union: pid_t */
