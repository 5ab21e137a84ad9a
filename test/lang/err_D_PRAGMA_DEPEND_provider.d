#pragma D depends_on provider nosuch
BEGIN { }
/* rows: #pragma-depends_on */
/* error: line 1: program requires provider nosuch */
