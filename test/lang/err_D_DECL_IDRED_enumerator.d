enum a { A };
enum b { A };
/* error: line 2: identifier redeclared: A
	 current: an enumerator
	previous: an enumerator */
