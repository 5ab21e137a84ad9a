#pragma D attributes Stable/Stable/Common pid
BEGIN { }
/* error: line 1: pragma applies to pid, which is not declared in this program */
