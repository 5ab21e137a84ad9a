struct o { int a; };
BEGIN { trace((xlate <struct o> (1)).a); }
/* error: line 2: translator from int to struct o is not defined */
