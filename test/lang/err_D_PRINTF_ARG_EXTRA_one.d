BEGIN { printf("%d", 1, 2); }
/* error: line 1: printf( ) prototype mismatch: only 1 argument required by this format string */
