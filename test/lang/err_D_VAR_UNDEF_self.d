BEGIN { trace(self->x); }
/* error: line 1: self->x has not yet been declared or assigned */
