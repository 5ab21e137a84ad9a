char *p, t[4];
int *q, a[3];
string s;
BEGIN { p = "abc"; p = t; q = a; q = 0; s = p; s = 0; s = t; }
/* tree:
clause :::BEGIN
  part
    assign =: char *
      ident p: char *
      str "abc": string
    assign =: char *
      ident p: char *
      ident t: char [4]
    assign =: int *
      ident q: int *
      ident a: int [3]
    assign =: int *
      ident q: int *
      int 0: int
    assign =: string
      ident s: string
      ident p: char *
    assign =: string
      ident s: string
      int 0: int
    assign =: string
      ident s: string
      ident t: char [4]
*/
