struct s { int a`b; };
BEGIN { }
/* error: line 1: scoping operator may not be used in a declaration: a`b */
