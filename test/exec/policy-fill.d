/* @there records have a time */
/* The first record that does not fit ends tracing; END has room of its own. */
#pragma D option quiet
#pragma D option bufpolicy=fill
#pragma D option bufsize=32

BEGIN { trace(1); }
BEGIN { trace(2); }
BEGIN { i = 1; trace(3); }
BEGIN { i = 2; }
END { trace(i); }
