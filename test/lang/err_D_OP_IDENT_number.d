BEGIN { trace(curthread->5); }
/* error: line 1: operator -> must be followed by the name of a member */
