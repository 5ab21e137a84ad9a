struct pair { int a; };
translator struct pair < void *p > { a = 1; };
int *p;
BEGIN { trace(xlate <struct pair> (p).a); }
/* error: line 4: translator from int * to struct pair is not defined */
