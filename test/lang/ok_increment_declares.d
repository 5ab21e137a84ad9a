BEGIN { n++; self->n++; this->n--; m[execname]++; }
