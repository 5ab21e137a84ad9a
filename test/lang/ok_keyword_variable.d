BEGIN { self->self = 1; this->probe = self->self; trace(this->probe); }
