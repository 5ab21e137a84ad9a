#pragma D attributes Stable/Stable/Common provider later args
provider first { probe a(); };
/* error: line 1: pragma names an identifier that does not appear: later */
