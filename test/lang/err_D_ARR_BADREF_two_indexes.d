BEGIN { trace(curthread->comm[1, 2]); }
/* error: line 1: cannot access char [16] as an associative array */
