struct o { int a; };
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o> (1)).nosuch); }
