uint64_t *p;
int*q;
BEGIN { p = (uint64_t *)q; }
