struct pair { int a; };
translator struct pair < int x > { a = stack(); };
/* error: line 2: translator member a definition uses incompatible types: "int" = "stack" */
