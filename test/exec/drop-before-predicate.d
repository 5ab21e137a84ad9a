/* @there records have a time */
/* If a clause's record has no room, not even its predicate is evaluated. */
#pragma D option quiet
#pragma D option bufsize=47

int i, j;

BEGIN { trace(1); }
BEGIN { trace((char)2); trace((int64_t)2); }
BEGIN /++i/ { trace(3); }
BEGIN { j = i; }
END { printf(" %d %d", i, j); }
