struct o { int a; };
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o> (1)).nosuch); }
/* error: line 3: translator does not define conversion for member: nosuch */
