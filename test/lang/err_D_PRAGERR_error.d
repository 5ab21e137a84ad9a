#error stop
BEGIN { }
/* rows: #error */
/* error: line 1: #error: stop */
