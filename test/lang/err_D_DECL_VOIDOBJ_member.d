struct s { void a; };
/* error: line 1: member may not be of type void: a */
