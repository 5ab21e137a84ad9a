/* library */
provider v { probe a:b:entry(int n); probe a:b:entry__fast(); probe a:c:return(char *s); probe entry(); probe a::done(); };
site v:a:b:entry from test:::two { return (1); }
site v:a:c:return from test:::two { return ("x"); }
site v:a::done from test:::two { return (); }
