/* option: unodefs */
BEGIN { trace(a.out`far); trace(a.out`far); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      ident a.out`far: int
    call trace: void
      ident a.out`far: int
*/
