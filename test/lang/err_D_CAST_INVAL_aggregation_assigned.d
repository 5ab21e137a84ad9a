BEGIN { (void)(@s[execname] = count()); }
