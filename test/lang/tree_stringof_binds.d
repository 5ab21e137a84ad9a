int x;
BEGIN { trace(stringof execname == "a"); trace(stringof (x)); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary ==: int
        stringof: string
          ident execname: string
        str "a": string
    call trace: void
      stringof: string
        ident x: int
*/
