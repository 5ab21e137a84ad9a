#pragma error stop here
BEGIN { }
/* error: line 1: #error: stop here */
