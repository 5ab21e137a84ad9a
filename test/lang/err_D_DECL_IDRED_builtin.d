int pid;
/* error: line 1: identifier redeclared: pid
	 current: a variable
	previous: a built-in variable */
