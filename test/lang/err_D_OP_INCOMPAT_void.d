string s;
BEGIN { s = (void)0; }
