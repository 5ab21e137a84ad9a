test:::late { trace(args[0]); trace(stringof(args[1])); }
/* tree:
clause test:::late
  part records
    call trace: void
      index native 0: int
        ident args: dynamic
        int 0: int
    call trace: void
      stringof: string
        index native 1: char *
          ident args: dynamic
          int 1: int
*/
