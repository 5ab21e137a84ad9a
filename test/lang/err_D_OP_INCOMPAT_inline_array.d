int a[4];
inline long *all = a;
/* error: line 2: value of type int [4] is not compatible with declared type long * */
