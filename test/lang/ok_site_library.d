/* library */
provider xl { probe send(struct sock *s, int n); };
site xl:::send from test:::sk / args[0] != NULL / { this->n = args[0]->sk_sndbuf; return (args[0], this->n); }
else from test:::two { return (NULL, args[0]); }
