inline int *text = "abc";
/* error: line 1: value of type string is not compatible with declared type int * */
