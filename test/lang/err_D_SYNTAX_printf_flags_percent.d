BEGIN { printf("%-%", 1); }
/* error: line 1: printf( ): format conversion #1, "%-%": a literal % takes no flags, width or precision */
