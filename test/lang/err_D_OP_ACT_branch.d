BEGIN { x = pid ? exit(0) : 1; }
