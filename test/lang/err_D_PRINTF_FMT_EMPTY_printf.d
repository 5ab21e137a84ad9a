BEGIN { printf(""); }
/* error: line 1: printf( ) format string is empty */
