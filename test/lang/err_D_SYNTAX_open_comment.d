BEGIN { } /* a
