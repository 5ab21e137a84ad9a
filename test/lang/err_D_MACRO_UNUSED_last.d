/* args: 1 2; */
BEGIN { trace($1); }
/* error: extraneous argument '2' ($2 is not used) */
