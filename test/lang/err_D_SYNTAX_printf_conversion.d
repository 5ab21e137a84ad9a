BEGIN { printf("%y", 1); }
/* error: line 1: printf( ): format conversion #1, "%y": unknown conversion */
