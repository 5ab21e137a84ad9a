/* library */
struct pair { int a, b; } p;
provider v { probe x(int a); };
site v:::x from test:::int { return (p); }
/* error: line 4: argument #1 of v:::x is incompatible:
	prototype: int
	 argument: struct pair */
