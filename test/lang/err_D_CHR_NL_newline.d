BEGIN { trace('a
'); }
/* error: line 1: newline encountered in character constant */
