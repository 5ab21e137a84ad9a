int x;
inline int f[int x, int y] = x + y;
BEGIN { x = 2; y = 1L; trace(f[3, x]); trace(x); trace(y); }
/* tree:
clause :::BEGIN
  part records
    assign =: int
      ident x: int
      int 2: int
    assign =: long
      ident y: long
      int 1: long
    call trace: void
      index: int
        ident f: int
        int 3: int
        ident x: int
    call trace: void
      ident x: int
    call trace: void
      ident y: long
*/
