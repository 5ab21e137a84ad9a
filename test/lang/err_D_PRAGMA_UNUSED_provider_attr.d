#pragma D attributes Stable/Stable/Common provider io provider
BEGIN { }
/* error: line 1: pragma names an identifier that does not appear: io */
