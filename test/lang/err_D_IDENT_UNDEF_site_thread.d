/* library */
provider xt { probe come(int n); };
site xt:::come from test:::sk for (nosuch) { trace(exit(1)); return (1); }
/* error: line 3: failed to resolve nosuch: unknown variable name */
