inline int u8 = 5;
BEGIN { trace(u8); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 5: int
*/
