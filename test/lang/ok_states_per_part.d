BEGIN { if (pid) { trace(1); } else { commit(1); } if (pid) speculate(1); }
