#error stop
BEGIN { }
/* rows: #error */
