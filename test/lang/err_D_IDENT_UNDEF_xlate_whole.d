struct o { int a; };
translator struct o < int x > { a = nosuch; };
BEGIN { print(xlate <struct o> (1)); }
/* error: line 2: failed to resolve nosuch: unknown variable name */
