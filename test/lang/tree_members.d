struct s { int a : 3; int b : 5; char c; };
struct to { int x; string t; };
translator struct to < int n > { x = n; t = "text"; };
struct s st;
BEGIN
{
	st.b = 1; trace(((struct s *)arg0)->c); trace(sizeof (struct s)); trace((char)st.c);
	trace(xlate<struct to>((int)pid).x); trace(offsetof(struct s, c)); trace(stringof("x"));
	trace(pid ? 1 : 2);
}
/* tree:
clause :::BEGIN
  part records
    assign =: int
      member .b bits 3+5: int
        ident st: struct s
      int 1: int
    call trace: void
      member ->c: char
        cast: struct s *
          ident arg0: int64_t
    call trace: void
      int 4: size_t
    call trace: void
      cast: char
        member .c: char
          ident st: struct s
    call trace: void
      member .x: int
        xlate: struct to translated
          cast: int
            ident pid: pid_t
    call trace: void
      int 1: size_t
    call trace: void
      stringof: string
        str "x": string
    call trace: void
      cond: int
        ident pid: pid_t
        int 1: int
        int 2: int
*/
