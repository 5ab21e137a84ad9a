typedef struct pair { int a; } pair_t;
typedef long mine_t;
translator pair_t < int *p > { a = 1; };
translator struct pair < mine_t x > { a = x; };
mine_t m;
const int *q;
BEGIN { trace(xlate <struct pair> (q).a); trace(xlate <pair_t *> (m)->a); trace(xlate <pair_t> (1L).a); trace(xlate <pair_t> ((char)1).a); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      member .a: int
        xlate: struct pair translated
          ident q: const int *
    call trace: void
      member ->a: int
        xlate: pair_t * translated
          ident m: mine_t
    call trace: void
      member .a: int
        xlate: pair_t translated
          int 1: mine_t
    call trace: void
      member .a: int
        xlate: pair_t translated
          int 1: mine_t
*/
