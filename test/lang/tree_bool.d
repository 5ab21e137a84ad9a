int x;
BEGIN { trace((bool)4); trace((bool)0); this->b = (bool)x; trace((bool)(pid & 1)); this->b = 2; this->c = (char)this->b; }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 1: bool
    call trace: void
      int 0: bool
    assign =: bool
      ident this->b: bool
      cast: bool
        binary !=: int
          ident x: int
          int 0: int
    call trace: void
      cast: bool
        binary !=: int
          binary &: pid_t
            ident pid: pid_t
            int 1: int
          int 0: int
    assign =: bool
      ident this->b: bool
      int 2: int
    assign =: char
      ident this->c: char
      cast: char
        ident this->b: bool
*/
