BEGIN { n++; n--; ++n; --n; trace(-n); trace(!n - ~n); this->x = self->y = n; n <<= 2; @ = sum(n); }
/* tree:
clause :::BEGIN
  part records
    unary x++: int64_t
      ident n: int64_t
    unary x--: int64_t
      ident n: int64_t
    unary ++x: int64_t
      ident n: int64_t
    unary --x: int64_t
      ident n: int64_t
    call trace: void
      unary -: int64_t
        ident n: int64_t
    call trace: void
      binary -: int64_t
        unary !: int
          ident n: int64_t
        unary ~: int64_t
          ident n: int64_t
    assign =: int64_t
      ident this->x: int64_t
      assign =: int64_t
        ident self->y: int64_t
        ident n: int64_t
    assign <<=: int64_t
      ident n: int64_t
      int 2: int
    assign =: void
      agg @_: long
      call sum: void
        ident n: int64_t
*/
