typedef int foo;
typedef int foo;
/* error: line 2: identifier redeclared: foo
	 current: a type
	previous: a type */
