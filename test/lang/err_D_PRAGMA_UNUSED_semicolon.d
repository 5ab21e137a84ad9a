#pragma D attributes Stable/Stable/Common foo;
int foo;
BEGIN { }
/* error: line 1: pragma names an identifier that does not appear: foo; */
