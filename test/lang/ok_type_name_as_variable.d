BEGIN { pid_t = 3; }
END { trace(pid_t); }
