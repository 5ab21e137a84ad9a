BEGIN { trace(curthread->comm[1, 2]); }
