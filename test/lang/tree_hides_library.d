/* library: ok_hidden_library.d; */
inline string lib_limit = "x";
BEGIN { trace(xlate <struct lib_out> (1).a); trace(lib_limit); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      member .a: int
        xlate: struct lib_out translated
          int 1: int
    call trace: void
      ident lib_limit: string
*/
