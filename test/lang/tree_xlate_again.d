typedef struct { int a; char *b; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; b = NULL; };
xl:::send { trace(xlate <xinfo_t *> (args[0])->a); trace(args[0]->a); y = *args[0]; trace(y.a); }
/* tree:
clause xl:::send
  part records
    call trace: void
      member ->a: int
        xlate: xinfo_t * translated
          index: xinfo_t * translated
            ident args: dynamic
            int 0: int
    call trace: void
      member ->a: int
        index: xinfo_t * translated
          ident args: dynamic
          int 0: int
    assign =: xinfo_t
      ident y: xinfo_t
      unary *: xinfo_t translated
        index: xinfo_t * translated
          ident args: dynamic
          int 0: int
    call trace: void
      member .a: int
        ident y: xinfo_t
*/
