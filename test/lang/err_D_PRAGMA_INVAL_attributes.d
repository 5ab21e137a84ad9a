#pragma D attributes A/B/C x
BEGIN { }
/* error: line 1: invalid attributes: A/B/C */
