struct kept { dt_stack_t s; };
/* error: line 1: incomplete type may not be used for member s: dt_stack_t */
