BEGIN { trace($1); }
/* error: line 1: macro argument $1 is not defined */
