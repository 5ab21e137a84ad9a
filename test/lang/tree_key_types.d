int a[2];
char t[4];
struct pair { int x; } p;
BEGIN { k[a, t, "s", p, (char)1] = 1; k[&a[1], "longer", t, p, 70000] = 2; }
/* tree:
clause :::BEGIN
  part
    assign =: int
      index: int
        ident k: int
        ident a: int [2]
        ident t: char [4]
        str "s": string
        ident p: struct pair
        int 1: char
      int 1: int
    assign =: int
      index: int
        ident k: int
        unary &: int *
          index: int
            ident a: int [2]
            int 1: int
        str "longer": string
        ident t: char [4]
        ident p: struct pair
        int 70000: int
      int 2: int
*/
