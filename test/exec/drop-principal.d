/* @there records have a time */
/* A small buffer has exactly the requested size; a clause that finds no room has no effect. */
#pragma D option quiet
#pragma D option bufsize=32

BEGIN { trace(1); }
BEGIN { trace(2); }
BEGIN { i = 1; trace(3); i = 1; }
END { trace(i); }
