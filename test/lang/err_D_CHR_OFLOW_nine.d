BEGIN { trace('123456789'); }
/* error: line 1: character constant is too long */
