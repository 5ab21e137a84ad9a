test:::lost { trace(args[1]); }
/* error: line 1: args[1] cannot be read: it is lost */
