xl:::send { trace(args[0]); }
