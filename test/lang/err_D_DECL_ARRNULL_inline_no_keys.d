inline int f[] = 1; BEGIN { }
/* error: line 1: inline requires key types in its brackets: f */
