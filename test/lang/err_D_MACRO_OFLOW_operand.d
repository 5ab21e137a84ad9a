/* args: 99999999999999999999999; */
BEGIN { trace($1); }
/* error: line 2: macro argument 99999999999999999999999 is too large */
