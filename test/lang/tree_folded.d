BEGIN { trace(7 / 2); trace(-7 / 2); trace(-7 % 2); trace(7U / 2); trace(-1 >> 1); trace(0xffffffffffffffff >> 1); trace(1 << 63); trace(1 << 64); trace(-1 < 1U); trace(-1 < 1); trace(-1L < 1UL); trace(3 >= 3); trace(3 > 3); trace(2 <= 1); trace(1 && 0); trace(2 || 0); trace(2 ^^ 3); trace(0 ^^ 3); trace(!5); trace(~5); trace(- 5); trace(+5); trace(6 & 3); trace(6 | 3); trace(6 ^ 3); trace(-9223372036854775807 - 1); trace((-9223372036854775807 - 1) / -1); trace((-9223372036854775807 - 1) % -1); trace(5 % 3); trace(1 ? 2 : nosuch); trace(0 ? nosuch : 3); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 3: int
    call trace: void
      int -3: int
    call trace: void
      int -1: int
    call trace: void
      int 3: unsigned int
    call trace: void
      int -1: int
    call trace: void
      int 9223372036854775807: unsigned long
    call trace: void
      int -9223372036854775808: int
    call trace: void
      int 1: int
    call trace: void
      int 0: int
    call trace: void
      int 1: int
    call trace: void
      int 0: int
    call trace: void
      int 1: int
    call trace: void
      int 0: int
    call trace: void
      int 0: int
    call trace: void
      int 0: int
    call trace: void
      int 1: int
    call trace: void
      int 0: int
    call trace: void
      int 1: int
    call trace: void
      int 0: int
    call trace: void
      int -6: int
    call trace: void
      int -5: int
    call trace: void
      int 5: int
    call trace: void
      int 2: int
    call trace: void
      int 7: int
    call trace: void
      int 5: int
    call trace: void
      int -9223372036854775808: long
    call trace: void
      binary /: long
        int -9223372036854775808: long
        int -1: int
    call trace: void
      binary %: long
        int -9223372036854775808: long
        int -1: int
    call trace: void
      int 2: int
    call trace: void
      int 2: int
    call trace: void
      int 3: int
*/
