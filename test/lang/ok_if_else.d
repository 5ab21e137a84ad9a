BEGIN { x = 1; if (x == 1) { trace(1); } else if (x == 2) trace(2); else { if (pid) { commit(1); } } exit(0); }
