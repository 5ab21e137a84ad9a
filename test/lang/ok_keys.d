BEGIN { x[1, "a", (char)2] = 1; x[2, execname, 3] = 5; @[stack(), ustack(), sym(arg0), usym(arg0)] = count(); }
