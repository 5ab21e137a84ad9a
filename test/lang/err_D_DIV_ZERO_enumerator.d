enum e { A = 1 % 0 };
BEGIN { }
