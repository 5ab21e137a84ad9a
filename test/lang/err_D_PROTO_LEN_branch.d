BEGIN { pid ? exit(0) : trace(1, 2); }
