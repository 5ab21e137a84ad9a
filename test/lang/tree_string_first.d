BEGIN { trace(*execname); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      index: char
        ident execname: string
        int 0: int
*/
