BEGIN { trace(offsetof(int, a)); }
/* error: line 1: offsetof requires a struct or union type: int */
