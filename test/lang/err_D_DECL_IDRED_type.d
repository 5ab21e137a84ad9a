int x;
string x;
/* error: line 2: identifier redeclared with another type: x
	 current: string
	previous: int */
