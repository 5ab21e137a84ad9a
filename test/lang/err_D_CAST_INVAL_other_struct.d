struct pair { int a; } v;
struct other { int a; } w;
BEGIN { x = (struct pair)w; }
/* error: line 3: invalid cast: value of type struct other to struct pair */
