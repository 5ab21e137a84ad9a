int x;
char t[7];
BEGIN { trace(sizeof x); trace(sizeof x + 1); trace(sizeof t); trace(sizeof (x)); trace(sizeof (t)[1]); trace(sizeof "abc"); trace(sizeof (struct sock *)); trace(sizeof -x); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 4: size_t
    call trace: void
      int 5: size_t
    call trace: void
      int 7: size_t
    call trace: void
      int 4: size_t
    call trace: void
      int 1: size_t
    call trace: void
      int 4: size_t
    call trace: void
      int 8: size_t
    call trace: void
      int 4: size_t
*/
