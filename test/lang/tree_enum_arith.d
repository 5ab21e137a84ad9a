enum small { ONE = 1 };
BEGIN { this->e = (enum small)1; x = this->e + 1; y = this->e - 1U; z = -this->e; w = this->e << 2; c = this->e == -1; k = pid ? this->e : 1; }
/* tree:
clause :::BEGIN
  part
    assign =: enum small
      ident this->e: enum small
      int 1: enum small
    assign =: int
      ident x: int
      binary +: int
        ident this->e: enum small
        int 1: int
    assign =: unsigned int
      ident y: unsigned int
      binary -: unsigned int
        ident this->e: enum small
        int 1: unsigned int
    assign =: enum small
      ident z: enum small
      unary -: enum small
        ident this->e: enum small
    assign =: enum small
      ident w: enum small
      binary <<: enum small
        ident this->e: enum small
        int 2: int
    assign =: int
      ident c: int
      binary ==: int
        ident this->e: enum small
        int -1: int
    assign =: int
      ident k: int
      cond: int
        ident pid: pid_t
        ident this->e: enum small
        int 1: int
*/
