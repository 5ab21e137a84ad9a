int *p, a[3];
string s;
BEGIN { trace(p + 1); trace(1 + p); trace(p - 1); trace(p - p); trace(a + 1); trace(p - a); trace(s + 1); trace(1 + s); trace(s - 1); p += 1; p -= pid; }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary +: int *
        ident p: int *
        int 1: int
    call trace: void
      binary +: int *
        int 1: int
        ident p: int *
    call trace: void
      binary -: int *
        ident p: int *
        int 1: int
    call trace: void
      binary -: ptrdiff_t
        ident p: int *
        ident p: int *
    call trace: void
      binary +: int *
        ident a: int [3]
        int 1: int
    call trace: void
      binary -: ptrdiff_t
        ident p: int *
        ident a: int [3]
    call trace: void
      binary +: string
        ident s: string
        int 1: int
    call trace: void
      binary +: string
        int 1: int
        ident s: string
    call trace: void
      binary -: char *
        ident s: string
        int 1: int
    assign +=: int *
      ident p: int *
      int 1: int
    assign -=: int *
      ident p: int *
      ident pid: pid_t
*/
