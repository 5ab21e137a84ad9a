void x[4];
