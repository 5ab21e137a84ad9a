struct o { int a; int b; };
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o> (1)).b); }
/* error: line 3: translator does not define conversion for member: b */
