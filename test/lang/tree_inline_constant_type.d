inline int64_t x = 1;
inline char c = 300;
BEGIN { trace(sizeof (NULL)); trace(sizeof (x)); trace(sizeof (c)); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 4: size_t
    call trace: void
      int 4: size_t
    call trace: void
      int 4: size_t
*/
