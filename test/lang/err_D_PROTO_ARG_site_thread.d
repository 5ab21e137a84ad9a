/* library */
provider xt { probe come(int n); };
site xt:::come from test:::sk for (args[0]) { return (1); }
/* error: line 3: a site fires for a struct task_struct *, not for: struct sock * */
