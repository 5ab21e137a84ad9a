BEGIN { trace(strlen((void)0)); }
