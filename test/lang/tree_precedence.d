BEGIN { trace(pid + tid * 2 & 3 | 4 ^^ pid); trace(-pid - 1 < 2 == 1);
        trace(pid || tid ^^ 1); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary ^^: int
        binary |: pid_t
          binary &: pid_t
            binary +: pid_t
              ident pid: pid_t
              binary *: id_t
                ident tid: id_t
                int 2: int
            int 3: int
          int 4: int
        ident pid: pid_t
    call trace: void
      binary ==: int
        binary <: int
          binary -: pid_t
            unary -: pid_t
              ident pid: pid_t
            int 1: int
          int 2: int
        int 1: int
    call trace: void
      binary ||: int
        ident pid: pid_t
        binary ^^: int
          ident tid: id_t
          int 1: int
*/
