struct s { int; }; BEGIN { }
/* error: line 1: member declaration requires a name */
