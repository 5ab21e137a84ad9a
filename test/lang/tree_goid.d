/* target: 5 */
BEGIN { trace(goid()); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      call goid: uint64_t
*/
