enum a { A, B, A };
/* error: line 1: identifier redeclared: A
	 current: an enumerator
	previous: an enumerator */
