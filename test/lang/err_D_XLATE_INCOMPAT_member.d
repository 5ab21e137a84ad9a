struct o { int a; };
translator struct o < int x > { a = "s"; };
/* error: line 2: translator member a definition uses incompatible types: "int" = "string" */
