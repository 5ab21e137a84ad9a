BEGIN { trace(curthread->1); }
/* error: line 1: operator -> must be followed by the name of a member */
