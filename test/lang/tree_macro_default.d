/* option: defaultargs */
test:$1:f$$1:int { trace($1); trace($$2); }
/* tree:
clause test::f:int
  part records
    call trace: void
      int 0: int
    call trace: void
      str "": string
*/
