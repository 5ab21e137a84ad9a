struct two { int b[2]; } *p;
BEGIN { trace(p->b[2]); }
/* error: line 2: index 2 is out of bounds: b has 2 elements */
