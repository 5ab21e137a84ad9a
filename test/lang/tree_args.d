test:::two { trace(args[0]); trace(args[1]); }
/* tree:
clause test:::two
  part records
    call trace: void
      index native 0: int
        ident args: dynamic
        int 0: int
    call trace: void
      index native 1: char *
        ident args: dynamic
        int 1: int
*/
