/* args: 12 name a-b; */
/* the third is used as text */
BEGIN { trace($1); name = 1; trace($2); trace($$1); trace($3); trace($pid); trace($target); }
