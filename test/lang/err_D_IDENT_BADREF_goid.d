/* target: 1 */
BEGIN { trace(goid()); }
/* error: line 2: goid() is not available: process 1 is no Go program */
