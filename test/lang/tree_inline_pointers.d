int a[4];
inline char *text = "abc";
inline int *all = a;
inline void *none = 0;
inline string empty = NULL;
BEGIN { trace(stringof(text)); trace(all[1]); trace(none); trace(empty); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      stringof: string
        ident text: char *
    call trace: void
      index: int
        ident all: int *
        int 1: int
    call trace: void
      int 0: void *
    call trace: void
      int 0: string
*/
