int;
/* error: line 1: declaration does not declare anything */
