BEGIN { trace(((int *)arg0)["a"]); }
/* error: line 1: index of type string is not an integer */
