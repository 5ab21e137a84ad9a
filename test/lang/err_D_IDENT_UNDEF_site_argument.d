/* library */
provider xt { probe come(int n, int m); };
site xt:::come from test:::none { return (nosuch, another, 3); }
/* error: line 3: failed to resolve nosuch: unknown variable name */
