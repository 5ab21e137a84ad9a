BEGIN { x = (char)1; trace(x + 1); trace(x + x); trace(pid + 1U); trace(1 << 40); }
/* tree:
clause :::BEGIN
  part records
    assign =: char
      ident x: char
      int 1: char
    call trace: void
      binary +: int
        ident x: char
        int 1: int
    call trace: void
      binary +: char
        ident x: char
        ident x: char
    call trace: void
      binary +: unsigned int
        ident pid: pid_t
        int 1: unsigned int
    call trace: void
      int 1099511627776: int
*/
