BEGIN { printf("%1$d", 1); }
/* error: line 1: printf( ): format conversion #1, "%1$": numbered arguments are not supported */
