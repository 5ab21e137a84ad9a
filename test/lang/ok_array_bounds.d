int x[3];
struct one { int a[1]; int b[2]; } *p;
BEGIN { x[0] = 1; x[2] = 1; z = x[pid]; trace(p->a[1]); trace(p->b[1]); w = &p->b[2]; }
