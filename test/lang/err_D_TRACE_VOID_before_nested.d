BEGIN { x = exit(0); trace((void)1); }
