#pragma D attributes Stable/Stable/Common x
inline int x = 1;
BEGIN { trace(x); }
/* rows: #pragma-attributes */
