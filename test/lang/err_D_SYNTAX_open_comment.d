BEGIN { } /* a
/* error: line 1: syntax error: /* has no matching */ near end of input */
