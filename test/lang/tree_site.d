/* library */
provider xl { probe send(struct sock *s, int n); };
site xl:::send from test:::two / args[0] != 0 / { this->n = args[0]; return (NULL, this->n); }
/* tree:
provider xl
  probe send (struct sock * s, int n) : (struct sock * s, int n)
site xl:::send from test:::two
  predicate
    binary !=: int
      index native 0: int
        ident args: dynamic
        int 0: int
      int 0: int
  part
    assign =: int
      ident this->n: int
      index native 0: int
        ident args: dynamic
        int 0: int
    return
      int 0: int
      ident this->n: int
*/
