/* option: ilp32 */
BEGIN { trace((long)1); trace(sizeof (long)); trace(sizeof (void *)); trace(4000000000); trace(1L + 1UL); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 1: long
    call trace: void
      int 4: size_t
    call trace: void
      int 4: size_t
    call trace: void
      int 4000000000: long long
    call trace: void
      int 2: unsigned long
*/
