int x[4];
struct s { int a[4]; int more[1]; };
struct s v;
BEGIN { p = &x[4]; q = &v.a[4]; trace(v.more[3]); }
