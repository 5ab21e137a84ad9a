int x[void];
/* error: line 1: associative array key may not be of type void: x */
