#pragma D attributes Stable/Stable/Common provider mine provider
int mine;
BEGIN { }
/* error: line 1: pragma names an identifier that does not appear: mine */
