/* dtrace:::ERROR has the id of the probe and the number of the clause, and so has the message; rows: DIALECT_ERROR_CLAUSE dialect */
#pragma D option quiet
#pragma D option dialect=oracle

int zero;

syscall::write:entry { id_of_write = id; }
syscall::write:entry { this->x = 1; trace(*(int *)0x10); }
syscall::write:entry /1 / zero/ { trace(1); }
syscall::write:entry { setopt("nosuch", "1"); }
dtrace:::ERROR { printf("%d %d %d\n", arg1 == id_of_write, arg2, arg4); }
/* @fire syscall::write:entry */
/* @fire syscall::write:entry */
