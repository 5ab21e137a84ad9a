BEGIN { printf("%.3.4d", 1); }
/* error: line 1: printf( ): format conversion #1, "%.3.": precision given twice */
