struct o { int a; };
#pragma D binding "1.0" translator
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o *> (1))->a); }
