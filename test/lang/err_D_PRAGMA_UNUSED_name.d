#pragma D attributes Stable/Stable/Common nosuch
BEGIN { }
/* error: line 1: pragma names an identifier that does not appear: nosuch */
