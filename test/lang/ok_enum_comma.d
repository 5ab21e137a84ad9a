enum e { A, B, };
BEGIN { trace(B); }
