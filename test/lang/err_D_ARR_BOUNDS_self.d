self int x[3];
BEGIN { self->x[3] = 1; }
/* error: line 2: index 3 is out of bounds: self->x has 3 elements */
