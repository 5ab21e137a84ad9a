BEGIN { trace(`debugged); trace(mod`debugged); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      ident `debugged: short
    call trace: void
      ident mod`debugged: short
*/
