BEGIN { trace(sizeof (dt_stack_t)); }
/* error: line 1: sizeof may not be applied to this type: dt_stack_t */
