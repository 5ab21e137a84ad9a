/* option: version=1.4 */
struct o { int a; };
#pragma D binding "1.5" translator
translator struct o < int x > { a = x; };
BEGIN { trace((xlate <struct o *> (1))->a); }
/* error: line 5: translator from int to struct o is not defined */
