enum e { A = 0xffffffffffffffff };
BEGIN { }
