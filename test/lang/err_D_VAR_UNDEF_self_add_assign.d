BEGIN { self->x += 1; }
/* error: line 1: self->x has not yet been declared or assigned */
