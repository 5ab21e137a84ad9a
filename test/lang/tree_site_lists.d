/* library */
provider v { probe x(int n); };
site v:::x from test:::int, test:::two { return (1); } and from test:::none, test:::sk { return (2); }
else from test:::send, test:::odd { return (3); } and from test:::int { return (4); }
else from test:::two / pid / { return (5); }
/* tree:
provider v
  probe x (int n) : (int n)
site v:::x from test:::int
  part
    return
      int 1: int
and site v:::x from test:::two
  return
    int 1: int
and site v:::x from test:::none
  return
    int 2: int
and site v:::x from test:::sk
  return
    int 2: int
else site v:::x from test:::send
  return
    int 3: int
and site v:::x from test:::odd
  return
    int 3: int
and site v:::x from test:::int
  return
    int 4: int
else site v:::x from test:::two
  predicate
    ident pid
  return
    int 5: int
*/
