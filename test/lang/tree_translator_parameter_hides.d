int s;
struct out { int a; };
translator struct out < struct sock *s > { a = s->sk_sndbuf; };
BEGIN { s = 1; trace(xlate <struct out> ((struct sock *)s).a); trace(s); }
/* tree:
clause :::BEGIN
  part records
    assign =: int
      ident s: int
      int 1: int
    call trace: void
      member .a: int
        xlate: struct out translated
          cast: struct sock *
            ident s: int
    call trace: void
      ident s: int
*/
