BEGIN { printf("%5*d", 1); }
/* error: line 1: printf( ): format conversion #1, "%5*": width given twice */
