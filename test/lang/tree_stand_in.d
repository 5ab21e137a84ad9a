inline int kernel_nosuch = 3;
inline int kernel_nosuchlist[int n] = n * 2;
inline int kernel_jiffies = 1;
BEGIN { trace(`nosuch); trace(`nosuchlist[4]); trace(vmlinux`nosuch); trace(`jiffies); }
BEGIN { self->a`nosuch = 1; trace(self->a`nosuch); self->b`nosuch[1] = 2; }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 3: int
    call trace: void
      index: int
        ident kernel_nosuchlist: int
        int 4: int
    call trace: void
      int 3: int
    call trace: void
      ident `jiffies: unsigned long
clause :::BEGIN
  part records
    assign =: int
      ident self->a`nosuch: int
      int 1: int
    call trace: void
      ident self->a`nosuch: int
    assign =: int
      index: int
        ident self->b`nosuch: int
        int 1: int
      int 2: int
*/
