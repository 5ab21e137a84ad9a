/* A symbol that the kernel has no type for has the one it is declared with. */
extern struct task_struct { int pid; } untyped;
BEGIN { trace(`untyped.pid); trace(untyped.pid); trace(sizeof (`untyped)); }
