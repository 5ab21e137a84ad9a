BEGIN { trace(offsetof(struct task_struct, nosuch)); }
/* error: line 1: nosuch is not a member of struct task_struct */
