int x;
BEGIN { trace(a.out`count); trace(a.out`count + 1); trace(&a.out`count); trace(a.out`count); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      unary *: int
        ident a.out`count: userland int *
    call trace: void
      binary +: int
        unary *: int
          ident a.out`count: userland int *
        int 1: int
    call trace: void
      unary &: userland int *
        unary *: int
          ident a.out`count: userland int *
    call trace: void
      unary *: int
        ident a.out`count: userland int *
*/
