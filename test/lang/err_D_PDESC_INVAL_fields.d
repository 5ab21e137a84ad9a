a:b:c:d:e:f { }
/* error: line 1: invalid probe description "a:b:c:d:e:f": Overspecified probe description */
