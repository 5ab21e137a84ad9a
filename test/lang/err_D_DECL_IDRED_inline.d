inline int x = 1;
inline int x = 2;
/* error: line 2: identifier redeclared: x
	 current: an inline
	previous: an inline */
