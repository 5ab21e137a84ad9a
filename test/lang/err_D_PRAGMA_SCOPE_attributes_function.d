#pragma D attributes Stable/Stable/Common strlen
BEGIN { trace(strlen("a")); }
/* error: line 1: pragma applies to strlen, which is not declared in this program */
