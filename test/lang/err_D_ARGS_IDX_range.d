test:::int { trace(args[1]); }
/* error: line 1: index 1 is out of range for args[ ]: the probe has 1 */
