typedef struct xinfo { string xi_name; int xi_len; uint16_t xi_port; } xinfo_t;
translator xinfo_t < struct sock *s > {
	xi_name = s == NULL ? "<none>" : "sock";
	xi_len = s->sk_sndbuf;
	xi_port = s->__sk_common.skc_num;
};
xl:::send { printf("%s %d %d", args[0]->xi_name, args[0]->xi_len, args[0]->xi_port); }
