string s;
char *p, t[4];
BEGIN { trace(s == "a"); trace(p == "a"); trace("a" < t); trace(s == NULL); trace(NULL == s); trace(p == t); trace(p == 0); trace(0 != p); trace(s == t); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary ==: int
        ident s: string
        str "a": string
    call trace: void
      binary ==: int
        ident p: char *
        str "a": string
    call trace: void
      binary <: int
        str "a": string
        ident t: char [4]
    call trace: void
      binary ==: int
        ident s: string
        int 0: int
    call trace: void
      binary ==: int
        int 0: int
        ident s: string
    call trace: void
      binary ==: int
        ident p: char *
        ident t: char [4]
    call trace: void
      binary ==: int
        ident p: char *
        int 0: int
    call trace: void
      binary !=: int
        int 0: int
        ident p: char *
    call trace: void
      binary ==: int
        ident s: string
        ident t: char [4]
*/
