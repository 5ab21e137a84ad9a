inline int nothing = 1 else; 
/* error: line 1: syntax error near ";" */
