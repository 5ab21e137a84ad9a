inline int = 1;
