test:::lost { trace(args[0]); }
/* tree:
clause test:::lost
  part records
    call trace: void
      index native 0: int
        ident args: dynamic
        int 0: int
*/
