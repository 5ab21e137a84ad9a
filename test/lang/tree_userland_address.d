typedef userland struct sock *there_t;
typedef userland int *number_t;
struct sock *k;
BEGIN { p = (there_t)1; q = (number_t)1; trace(&p->sk_sndbuf); trace(&k->sk_sndbuf); trace(&q[1]); trace(&*q); trace(&p->__sk_common.skc_family); trace(&p->sk_sndbuf + 1); }
/* tree:
clause :::BEGIN
  part records
    assign =: userland there_t
      ident p: userland there_t
      cast: userland there_t
        int 1: int
    assign =: userland number_t
      ident q: userland number_t
      cast: userland number_t
        int 1: int
    call trace: void
      unary &: userland int *
        member ->sk_sndbuf: int
          ident p: userland there_t
    call trace: void
      unary &: int *
        member ->sk_sndbuf: int
          ident k: struct sock *
    call trace: void
      unary &: userland int *
        index: int
          ident q: userland number_t
          int 1: int
    call trace: void
      unary &: userland int *
        unary *: int
          ident q: userland number_t
    call trace: void
      unary &: userland unsigned short *
        member .skc_family: unsigned short
          member ->__sk_common: struct sock_common
            ident p: userland there_t
    call trace: void
      binary +: userland int *
        unary &: userland int *
          member ->sk_sndbuf: int
            ident p: userland there_t
        int 1: int
*/
