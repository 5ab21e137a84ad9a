BEGIN { trace(curthread->comm(1)); }
