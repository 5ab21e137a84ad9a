struct s { int a; int a; };
/* error: line 1: member is declared twice: a */
