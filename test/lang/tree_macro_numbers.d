/* args: -5 -9223372036854775808 +7 0x10 017 08 */
BEGIN { trace($1); trace($2); trace($3); trace($4); trace($5); trace($6); trace($projid + $taskid); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      int -5: int
    call trace: void
      int -9223372036854775808: long
    call trace: void
      int 7: int
    call trace: void
      int 16: int
    call trace: void
      int 15: int
    call trace: void
      str "08": string
    call trace: void
      int 0: int
*/
