inline void x = 1;
/* error: line 1: inline may not be of type void: x */
