enum { BIG = 0x80000000 };
/* error: line 1: value of enumerator BIG exceeds INT_MAX */
