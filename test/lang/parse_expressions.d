struct pair { int a; struct pair *next; } p;
translator struct pair < int x > { a = x; };
self int x;
int *q;
BEGIN /self->x/ { this->x = (char *)1; y = sizeof (struct pair) + offsetof(struct pair, a); y = sizeof y; trace(xlate <struct pair> (1).a); trace(stringof y); @a[y, 1] = sum(2); @ = count(); y++; --y; -y; !y; ~y; +y; *q; &q[1]; z = y ? "x" : "a\"\\\t"; y <<= 2; p.next->a; "q", 1; }
/* tree:
clause :::BEGIN
  predicate
    ident self->x
  assign =
    ident this->x
    cast (char *)
      int 1: int
  assign =
    ident y
    binary +
      sizeof (struct pair)
      offsetof a (struct pair)
  assign =
    ident y
    sizeof
      ident y
  call trace
    member .a
      xlate (struct pair)
        int 1: int
  call trace
    stringof
      ident y
  assign =
    agg @a
      ident y
      int 1: int
    call sum
      int 2: int
  assign =
    agg @_
    call count
  unary x++
    ident y
  unary --x
    ident y
  unary -
    ident y
  unary !
    ident y
  unary ~
    ident y
  unary +
    ident y
  unary *
    ident q
  unary &
    index
      ident q
      int 1: int
  assign =
    ident z
    cond
      ident y
      str "x"
      str "a\"\\\011"
  assign <<=
    ident y
    int 2: int
  member ->a
    member .next
      ident p
  binary ,
    str "q"
    int 1: int
*/
