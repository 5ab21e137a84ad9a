test:::int { trace(args[pid]); }
