struct out { int a; };
translator struct out < int > { a = 2; };
/* error: line 2: syntax error near ">" */
