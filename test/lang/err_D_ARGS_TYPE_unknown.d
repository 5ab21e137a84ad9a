xl:::send { trace(args[0]); }
/* error: line 1: type of args[0] is not known */
