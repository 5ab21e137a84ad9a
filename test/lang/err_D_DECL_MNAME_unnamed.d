struct s { int; };
/* error: line 1: member declaration requires a name */
