#pragma D attributes Stable/Stable/Common provider mine provider
int mine;
BEGIN { }
