struct two { int b[2]; } *p;
BEGIN { trace(&p->b[3]); }
/* error: line 2: index 3 is out of bounds: b has 2 elements */
