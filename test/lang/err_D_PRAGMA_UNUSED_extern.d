extern int foo;
#pragma D attributes Stable/Stable/Common foo
BEGIN { }
/* error: line 2: pragma names an identifier that does not appear: foo */
