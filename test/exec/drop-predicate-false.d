/* @there records have a time */
/* Only clauses that make a record take room. */
#pragma D option quiet
#pragma D option bufsize=16

BEGIN /pid == 0/ { trace(1); }
BEGIN { *(int *)0 = 1; trace(2); }
BEGIN { trace(3); }
