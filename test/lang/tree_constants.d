BEGIN { trace(2147483648); trace(0xffffffff); trace(1u); trace(5ul); trace('ab'); trace(sizeof (int)); trace(sizeof ("abc")); trace(10 / 3 * 2 - -1); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 2147483648: long
    call trace: void
      int 4294967295: unsigned int
    call trace: void
      int 1: unsigned int
    call trace: void
      int 5: unsigned long
    call trace: void
      int 24930: int
    call trace: void
      int 4: size_t
    call trace: void
      int 4: size_t
    call trace: void
      int 7: int
*/
