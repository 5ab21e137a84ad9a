/* Strings are printed as D text: the characters that end one, and unprintable ASCII, escaped. */
BEGIN { trace("a\t\"b\\ ~\177\037\200é"); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      str "a\011\"b\\ ~\177\037\200\303\251": string
*/
