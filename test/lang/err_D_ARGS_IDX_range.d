test:::int { trace(args[1]); }
