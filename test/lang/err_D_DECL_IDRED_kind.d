int x;
int x[int];
/* error: line 2: identifier redeclared: x
	 current: an associative array
	previous: a global variable */
