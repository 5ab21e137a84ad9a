/* target: 7 */
pid$target:$$target::entry { trace($target); trace($$target); trace($target + 1L); }
/* tree:
clause pid7:7::entry
  part records
    call trace: void
      int 70007: int
    call trace: void
      str "7": string
    call trace: void
      int 70008: long
*/
