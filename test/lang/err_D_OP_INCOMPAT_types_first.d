/* The actions of a clause are checked when its types are known. */
BEGIN { trunc(1); y = curthread == "a"; }
/* error: line 2: operands have incompatible types: "struct task_struct *" == "string" */
