/* -f */
a:b:c:d
/* error: line 1: invalid probe description "a:b:c:d": Overspecified probe description */
