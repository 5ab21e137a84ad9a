#pragma D depends_on provider nosuch
BEGIN { }
/* rows: #pragma-depends_on */
