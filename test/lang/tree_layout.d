struct a { char c; in6_addr_t a; char d; };
struct b { char c; in6_addr_t a[2]; };
struct c { char c; long l; char d; };
struct d { char c; short s[3]; int i; };
struct e { int x : 3; int y : 29; int z : 1; };
struct f { int x : 3; int y : 30; };
struct g { char c; struct { char c; short s; } s; };
struct k { char c; struct sockaddr_in6 s; char d; };
struct m { char c; struct list_head l; };
union h { char c[9]; int i; };
struct j { char c; int *p; timestruc_t t; };
BEGIN
{
	trace(sizeof (struct a)); trace(offsetof(struct a, d)); trace(sizeof (struct b));
	trace(sizeof (struct c)); trace(offsetof(struct d, s)); trace(offsetof(struct d, i));
	trace(sizeof (struct e)); trace(sizeof (struct f)); trace(offsetof(struct g, s));
	trace(sizeof (struct g)); trace(sizeof (union h)); trace(sizeof (struct j));
	trace(offsetof(struct k, d));
	trace(sizeof (struct m));
}
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 24: size_t
    call trace: void
      int 20: size_t
    call trace: void
      int 36: size_t
    call trace: void
      int 24: size_t
    call trace: void
      int 2: size_t
    call trace: void
      int 8: size_t
    call trace: void
      int 8: size_t
    call trace: void
      int 8: size_t
    call trace: void
      int 2: size_t
    call trace: void
      int 6: size_t
    call trace: void
      int 12: size_t
    call trace: void
      int 32: size_t
    call trace: void
      int 32: size_t
    call trace: void
      int 24: size_t
*/
