typedef int *ip_t;
BEGIN { p = (userland ip_t)1; trace(&p[1]); r = (userland int **)1; trace(*r); trace(r[1] + 1); s = (userland int (*)[2])1; trace(&(*s)[1]); }
/* tree:
clause :::BEGIN
  part records
    assign =: userland ip_t
      ident p: userland ip_t
      cast: userland ip_t
        int 1: int
    call trace: void
      unary &: userland int *
        index: int
          ident p: userland ip_t
          int 1: int
    assign =: userland int **
      ident r: userland int **
      cast: userland int **
        int 1: int
    call trace: void
      unary *: userland int *
        ident r: userland int **
    call trace: void
      binary +: userland int *
        index: userland int *
          ident r: userland int **
          int 1: int
        int 1: int
    assign =: userland int (*)[2]
      ident s: userland int (*)[2]
      cast: userland int (*)[2]
        int 1: int
    call trace: void
      unary &: userland int *
        index: int
          unary *: int [2]
            ident s: userland int (*)[2]
          int 1: int
*/
