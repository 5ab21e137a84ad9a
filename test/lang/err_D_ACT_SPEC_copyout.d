BEGIN { speculate(1); copyout((void *)0, 1, 2); }
