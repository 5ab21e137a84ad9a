#pragma D option dialect=oracle
#pragma D option dialect=illumos
BEGIN { stack(1, 2); }
/* error: line 3: stack( ) prototype mismatch: 2 arguments passed, at most 1 expected */
