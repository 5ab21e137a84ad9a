inline int allowed = pid > 1;
int x;
test:::guarded { trace(1); }
test:::guarded / x || 2 / { trace(1); }
/* tree:
clause test:::guarded
  predicate
    ident allowed: int
  part records
    call trace: void
      int 1: int
clause test:::guarded
  predicate
    binary &&: int
      ident allowed: int
      binary ||: int
        ident x: int
        int 2: int
  part records
    call trace: void
      int 1: int
*/
