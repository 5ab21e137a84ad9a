/* A ring keeps the last records of a CPU and prints them at the end. */
#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option bufsize=48

BEGIN { trace(1); }
BEGIN { trace(2); }
BEGIN { trace(3); }
BEGIN { trace(4); }
BEGIN { trace(5); exit(0); }
