BEGIN / !self->nosuch / { }
