BEGIN { start_of = 1; this->starts = 2; self->start = 3; trace(self->strat); }
/* error: line 1: self->strat has not yet been declared or assigned; did you mean start? */
