#pragma D attributes Stable/Stable x
BEGIN { }
/* error: line 1: invalid attributes: Stable/Stable */
