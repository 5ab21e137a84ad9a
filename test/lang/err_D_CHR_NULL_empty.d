BEGIN { trace(''); }
/* error: line 1: empty character constant */
