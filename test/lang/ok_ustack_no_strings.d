BEGIN { ustack(3, 0); @[ustack(3, 0)] = count(); }
