/* option: amin=Unstable/Unstable/Common */
struct o { int a; };
translator struct o < int x > { a = x; };
inline struct o *m = xlate <struct o *> (1);
BEGIN { trace(m->a); }
/* error: line 5: attributes of the program (Private/Private/Unknown) are less than the minimum (Unstable/Unstable/Common) */
