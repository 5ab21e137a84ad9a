inline int a = nosuch;
inline int b = a + 1;
/* error: line 1: failed to resolve nosuch: unknown variable name */
