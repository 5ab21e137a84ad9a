self foo_t *x;
