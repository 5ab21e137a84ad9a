struct o { int a; };
translator struct o < int x > { b = x; };
/* error: line 2: translator member b is not a member of struct o */
