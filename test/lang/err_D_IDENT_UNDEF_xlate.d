struct o { int a; };
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o *> (nosuch))->a); }
/* error: line 3: failed to resolve nosuch: unknown variable name */
