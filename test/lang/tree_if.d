BEGIN { trace(1); if (pid) { trace(2); if (tid) exit(1); } else x = 1; trace(3); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 1: int
  part set 0
    ident pid: pid_t
  part 0 records
    call trace: void
      int 2: int
  part 0 set 1
    ident tid: id_t
  part 0 1 records
    call exit: void
      int 1: int
  part !0
    assign =: int
      ident x: int
      int 1: int
  part records
    call trace: void
      int 3: int
*/
