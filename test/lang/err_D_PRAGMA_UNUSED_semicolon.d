#pragma D attributes Stable/Stable/Common foo;
int foo;
BEGIN { }
