/* library */
provider v { probe x(int a, string s); };
site v:::x from test:::int { return (1, args[0]); }
/* error: line 3: argument #2 of v:::x is incompatible:
	prototype: string
	 argument: int */
