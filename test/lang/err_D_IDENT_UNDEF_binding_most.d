#pragma D binding "255.4095.4095" x
int x;
BEGIN { trace(x); }
/* error: line 3: failed to resolve x: unknown variable name */
