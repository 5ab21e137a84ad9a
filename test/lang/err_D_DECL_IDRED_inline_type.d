typedef int taken;
inline int taken = 1;
/* error: line 2: identifier redeclared: taken
	 current: an inline
	previous: a type */
