BEGIN { self->s = speculation(); speculate(self->s); printf("a"); }
BEGIN { commit(self->s); }
BEGIN { discard(self->s); trace(1); }
