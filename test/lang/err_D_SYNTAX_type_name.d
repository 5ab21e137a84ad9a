BEGIN { trace(pid_t); }
