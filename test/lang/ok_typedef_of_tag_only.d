typedef struct x { int a; };
struct x v;
BEGIN { v.a = 1; }
