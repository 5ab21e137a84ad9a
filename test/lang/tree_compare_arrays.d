int a[2], *p;
BEGIN { trace(a == p); trace(p != a); trace(a == 0); trace(0 == a); trace(a == a); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary ==: int
        ident a: int [2]
        ident p: int *
    call trace: void
      binary !=: int
        ident p: int *
        ident a: int [2]
    call trace: void
      binary ==: int
        ident a: int [2]
        int 0: int
    call trace: void
      binary ==: int
        int 0: int
        ident a: int [2]
    call trace: void
      binary ==: int
        ident a: int [2]
        ident a: int [2]
*/
