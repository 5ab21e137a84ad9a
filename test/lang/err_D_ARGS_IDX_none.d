BEGIN { trace(args[0]); }
/* error: line 1: index 0 is out of range for args[ ]: the probe has 0 */
