#pragma D error stop
BEGIN { }
/* error: line 1: #error: stop */
