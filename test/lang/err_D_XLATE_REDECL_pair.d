struct o { int a; };
translator struct o < int x > { a = x; };
translator struct o < int y > { a = y; };
/* error: line 3: translator from int to struct o has been declared already */
