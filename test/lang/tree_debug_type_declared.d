extern long debugged;
BEGIN { trace(debugged); trace(`debugged); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      ident debugged: long
    call trace: void
      ident `debugged: long
*/
