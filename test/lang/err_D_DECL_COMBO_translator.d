struct out { int a; };
translator struct out int x > { a = 2; };
/* error: line 2: invalid type combination */
