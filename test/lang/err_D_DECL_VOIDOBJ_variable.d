void x;
/* error: line 1: variable may not be of type void: x */
