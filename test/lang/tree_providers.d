/* library */
provider p { probe m:f:n(int, struct sock *s) : (struct sock *s); probe m::__return(void); probe a__b(string); };
site p:m:f:n from 3, test:::two for (curthread) { return (1, NULL); } and from test:::int { return (2, NULL); }
else from other:test:m:f:none { return (3, NULL); }
/* tree:
provider p
  probe m:f:n (int, struct sock * s) : (struct sock * s)
  probe m::-return () : ()
  probe a-b (string) : (string)
site p:m:f:n from 3
  for
    ident curthread: struct task_struct *
  part
    return
      int 1: int
      int 0: int
and site p:m:f:n from test:::two
  for
    ident curthread
  return
    int 1: int
    ident NULL
and site p:m:f:n from test:::int
  return
    int 2: int
    ident NULL
else site p:m:f:n from other:test:m:f:none
  return
    int 3: int
    ident NULL
*/
