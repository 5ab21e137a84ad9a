struct o { int a; };
translator struct o < int x > { a = x; };
provider mine { probe one__two(int a, char *b) : (char *b, struct o *a); probe three(); };
BEGIN { }
