int ************************x[2];
/* error: line 1: declarator is too complicated near ";" */
