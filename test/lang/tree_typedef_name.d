typedef unsigned char octet, other, third;
BEGIN { octet = 5; other++; third--; trace((octet)other); }
BEGIN { trace(octet == 5); }
/* tree:
clause :::BEGIN
  part records
    assign =: int
      ident octet: int
      int 5: int
    unary x++: int64_t
      ident other: int64_t
    unary x--: int64_t
      ident third: int64_t
    call trace: void
      cast: octet
        ident other: int64_t
clause :::BEGIN
  part records
    call trace: void
      binary ==: int
        ident octet: int
        int 5: int
*/
