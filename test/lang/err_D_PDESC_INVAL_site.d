/* library */
site a:b:c:d:e:f from test:::int { return (1); }
/* error: line 2: invalid probe description "a:b:c:d:e:f": Overspecified probe description */
