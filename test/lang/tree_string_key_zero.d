int a[string];
BEGIN { a[0] = 1; a[NULL]++; trace(a["x"]); }
/* tree:
clause :::BEGIN
  part records
    assign =: int
      index: int
        ident a: int
        int 0: int
      int 1: int
    unary x++: int
      index: int
        ident a: int
        int 0: int
    call trace: void
      index: int
        ident a: int
        str "x": string
*/
