BEGIN { freopen("/tmp/x.%d", pid); freopen(""); ftruncate(); system("date"); setopt("quiet"); setopt("a", "b"); }
