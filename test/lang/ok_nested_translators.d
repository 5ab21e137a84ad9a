struct in { int i; };
struct out { struct in *o_in; int o_n; };
translator struct in < struct sock *s > { i = s->sk_sndbuf; };
translator struct out < struct sock *s > { o_in = xlate <struct in *> (s); o_n = 1; };
test:::sk { trace(xlate <struct out *> (args[0])->o_in->i); x = xlate <struct out> (args[0]); trace(x.o_n); }
