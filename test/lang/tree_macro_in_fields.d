/* args: int t */
tes$2:a$$2b:x$1:$$1 { trace(1); }
/* tree:
clause test:atb:xint:int
  part records
    call trace: void
      int 1: int
*/
