BEGIN { trace(offsetof(struct task_struct, nosuch)); }
