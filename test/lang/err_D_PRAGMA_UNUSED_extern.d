extern int foo;
#pragma D attributes Stable/Stable/Common foo
BEGIN { }
