/* option: version=1.5 */
inline int now = 3;
#pragma D binding "1.5" now
#pragma D binding "1.4.1" soon
inline int soon = 4;
BEGIN { trace(now + soon); }
/* rows: #pragma-binding */
