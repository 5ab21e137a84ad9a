#pragma D attributes Stable/Stable/Common
/* error: line 1: malformed #pragma D attributes: expected attributes and a name */
