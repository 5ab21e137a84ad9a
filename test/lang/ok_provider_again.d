/* A provider can be declared again in the same way. */
provider again { probe a(int, char *x); probe b(); };
provider again { probe b(); probe a(int, char *y); };
