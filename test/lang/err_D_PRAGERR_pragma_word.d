#pragma error stop
BEGIN { }
/* error: line 1: #error: stop */
