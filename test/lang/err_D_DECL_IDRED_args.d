int args;
/* error: line 1: identifier redeclared: args
	 current: a variable
	previous: a built-in variable */
