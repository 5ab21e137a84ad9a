BEGIN { speculate(1); trace(1); printf("x"); }
END { discard(1); trace(1); }
ERROR { trace(1); x = 1; discard(2); exit(0); }
