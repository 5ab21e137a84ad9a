BEGIN { x = curthread; x += curthread; }
/* error: line 1: operands have incompatible types: "struct task_struct *" += "struct task_struct *" */
