struct pair { int a; };
translator struct pair < int x > { a = exit(0); };
/* error: line 2: exit( ) may not be called from a D expression */
