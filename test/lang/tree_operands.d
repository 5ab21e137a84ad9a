/* args: 12 -3 +7 12abc abc "q" x-y 010; */
BEGIN { trace($1); trace($2); trace($3); trace($4); trace($6); trace($7); trace($8);
        trace($$1); trace($$6); $5 = 2; }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int 12: int
    call trace: void
      int -3: int
    call trace: void
      int 7: int
    call trace: void
      str "12abc": string
    call trace: void
      str "q": string
    call trace: void
      str "x-y": string
    call trace: void
      int 8: int
    call trace: void
      str "12": string
    call trace: void
      str "\"q\"": string
    assign =: int
      ident abc: int
      int 2: int
*/
