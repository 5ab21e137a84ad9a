BEGIN { trace((char)300); trace((unsigned char)300); trace((short)-1); trace((unsigned short)-1); trace((unsigned int)-1); trace((int)0xffffffff); trace((long)-1); trace((uint64_t)-1); trace((int8_t)128); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 44: char
    call trace: void
      int 44: unsigned char
    call trace: void
      int -1: short
    call trace: void
      int 65535: unsigned short
    call trace: void
      int 4294967295: unsigned int
    call trace: void
      int -1: int
    call trace: void
      int -1: long
    call trace: void
      int -1: uint64_t
    call trace: void
      int -128: int8_t
*/
