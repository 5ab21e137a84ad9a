BEGIN { trace(curthread->\001); }
/* error: line 1: syntax error near "\" */
