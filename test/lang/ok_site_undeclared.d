/* library */
site v:::x from test:::int { return (args[0], "a"); }
provider v { probe y(int n); };
site v:::x from test:::int { return (args[0], "a"); }
