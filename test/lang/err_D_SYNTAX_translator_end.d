struct out { int a; };
translator struct out < int x > { a = 2; } int y;
/* error: line 2: syntax error near "int" */
