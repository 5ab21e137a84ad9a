this int x[3];
BEGIN { this->x[-1] = 1; }
/* error: line 2: index -1 is out of bounds: this->x has 3 elements */
