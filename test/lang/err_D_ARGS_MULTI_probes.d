test:::multi { trace(args[0]); }
/* error: line 1: args[ ] may not be referenced because the probe description matches an unstable set of probes */
