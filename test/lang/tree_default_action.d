BEGIN { }
END { x = 1; }
BEGIN { speculate(1); }
/* tree:
clause :::BEGIN
  part records
clause :::END
  part
    assign =: int
      ident x: int
      int 1: int
clause :::BEGIN
  part records
    call speculate: void
      int 1: int
*/
