inline int NULL = 1;
/* error: line 1: identifier redeclared: NULL
	 current: an inline
	previous: an inline */
