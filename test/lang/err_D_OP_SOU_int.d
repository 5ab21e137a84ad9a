BEGIN { trace(pid.x); }
