#pragma D option quiet now
BEGIN { }
/* error: line 1: malformed #pragma D option: expected name or name=value */
