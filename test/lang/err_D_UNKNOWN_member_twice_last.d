struct s { int a; int b; int b; };
/* error: line 1: member is declared twice: b */
