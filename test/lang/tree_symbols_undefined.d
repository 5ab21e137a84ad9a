/* option: knodefs */
extern long missing;
BEGIN { trace(`nosuch); trace(missing); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      ident `nosuch: int
    call trace: void
      ident missing: long
*/
