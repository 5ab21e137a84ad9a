BEGIN { trace(curthread->5); }
