struct sock *s;
BEGIN { trace((a.out`struct conn *)s); trace((a.out`number)1); trace(((a.out`struct conn *)s)->sk_sndbuf); trace(sizeof (a.out`number)); trace(((struct a.out`conn *)s)->sk_sndbuf); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      cast: userland struct sock *
        ident s: struct sock *
    call trace: void
      int 1: number
    call trace: void
      member ->sk_sndbuf: int
        cast: userland struct sock *
          ident s: struct sock *
    call trace: void
      int 2: size_t
    call trace: void
      member ->sk_sndbuf: int
        cast: userland struct sock *
          ident s: struct sock *
*/
