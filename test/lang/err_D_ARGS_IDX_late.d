test:::late { trace(args[2]); }
/* error: line 1: index 2 is out of range for args[ ]: the probe has 2 */
