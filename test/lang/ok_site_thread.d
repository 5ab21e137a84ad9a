/* library */
provider xt { probe come(int n); };
site xt:::come from test:::sk for ((struct task_struct *)args[0]) / args[0] != NULL / { return (1); }
and from test:::two { return (2); }
else from test:::two for (curthread) { return (3); }
and from test:::sk { return (4); }
and from test:::sk { return (5); }
