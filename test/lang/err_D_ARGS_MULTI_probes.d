test:::multi { trace(args[0]); }
