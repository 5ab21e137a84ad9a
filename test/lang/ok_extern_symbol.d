/* A symbol without a type in the kernel has its declared type. */
extern struct task_struct { int pid; } untyped;
BEGIN { trace(`untyped.pid); trace(untyped.pid); trace(sizeof (`untyped)); }
