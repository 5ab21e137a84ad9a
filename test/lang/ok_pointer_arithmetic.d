BEGIN { p = (int *)alloca(40); p += 2; *p = 5; x = p - (int *)0; trace(*(p + 1)); trace(p[3]); p++; }
