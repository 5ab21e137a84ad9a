BEGIN { this->x[1] = 2; }
/* error: line 1: clause-local variable may not be an associative array: x */
