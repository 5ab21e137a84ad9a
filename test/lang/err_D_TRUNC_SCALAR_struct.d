struct s { int a; } v;
BEGIN { @ = count(); trunc(@, v); }
/* error: line 2: trunc( ) argument #2 must be of scalar type */
