int (*fp)(int, ...), (*pa)[2], *ap[2], (*(*ff)(void))[3];
int ((x));
BEGIN { trace(fp); trace(pa); z = *pa; trace(ap[1]); trace(ff); trace((int (*(*)(char))[2])x); trace((int ((*)))x); trace((int (*const)[2])x); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      ident fp: int (*)(int, ...)
    call trace: void
      ident pa: int (*)[2]
    assign =: int *
      ident z: int *
      unary *: int [2]
        ident pa: int (*)[2]
    call trace: void
      index: int *
        ident ap: int *[2]
        int 1: int
    call trace: void
      ident ff: int (*(*)(void))[3]
    call trace: void
      cast: int (*(*)(char))[2]
        ident x: int
    call trace: void
      cast: int *
        ident x: int
    call trace: void
      cast: int (*const)[2]
        ident x: int
*/
