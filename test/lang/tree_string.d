/* Strings are printed as D text: signs that end one, and what is no printable ASCII, escaped. */
BEGIN { trace("a\t\"b\\ ~\177\037\200é"); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      str "a\011\"b\\ ~\177\037\200\303\251": string
*/
