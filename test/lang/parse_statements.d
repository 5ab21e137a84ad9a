int x;
BEGIN, 5, other:test:m:f:none, *:::int { if (x) trace(1); else if (x > 1) { } else { trace(2); trace(3); } if (x) ; trace(4); }
END
{ }
END { if (1) ; }
/* tree:
clause :::BEGIN 5 other:test:m:f:none *:::int
  if
    ident x
  then
    call trace
      int 1: int
  else
    if
      binary >
        ident x
        int 1: int
    then
    else
      call trace
        int 2: int
      call trace
        int 3: int
  if
    ident x
  then
  call trace
    int 4: int
clause :::END
clause :::END
  if
    int 1: int
  then
*/
