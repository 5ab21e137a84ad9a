struct out { int a; };
translator struct out < int x > { 1 = 2; };
/* error: line 2: syntax error near "1" */
