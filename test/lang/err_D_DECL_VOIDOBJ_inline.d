inline void x = 1;
