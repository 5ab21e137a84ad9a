/* option: amin=Unstable/Unstable/Common */
struct o { int a; int b; };
translator struct o < int x > { a = x; b = curthread->pid; };
BEGIN { trace(xlate <struct o> (1).a); }
/* error: line 4: attributes of the program (Stable/Private/Common) are less than the minimum (Unstable/Unstable/Common) */
