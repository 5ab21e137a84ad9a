BEGIN { printf("%l", 1); }
/* error: line 1: printf( ): format conversion #1, "%l": the format ends inside a conversion */
