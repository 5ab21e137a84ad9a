BEGIN { self->s = "a"; self->s = 0; x = "a"; x = NULL; }
