string s;
char *c, *d;
int *p;
struct pair { int a; } x, y;
BEGIN { trace(pid ? "a" : NULL); trace(pid ? 0 : s); trace(pid ? s : c); trace(pid ? c : d); trace(pid ? p : 0); trace(pid ? 0 : p); z = pid ? x : y; trace(pid ? (char)x.a : 2L); }
/* tree:
clause :::BEGIN
  part records
    call trace: void
      cond: string
        ident pid: pid_t
        str "a": string
        int 0: int
    call trace: void
      cond: string
        ident pid: pid_t
        int 0: int
        ident s: string
    call trace: void
      cond: string
        ident pid: pid_t
        ident s: string
        ident c: char *
    call trace: void
      cond: char *
        ident pid: pid_t
        ident c: char *
        ident d: char *
    call trace: void
      cond: int *
        ident pid: pid_t
        ident p: int *
        int 0: int
    call trace: void
      cond: int *
        ident pid: pid_t
        int 0: int
        ident p: int *
    assign =: struct pair
      ident z: struct pair
      cond: struct pair
        ident pid: pid_t
        ident x: struct pair
        ident y: struct pair
    call trace: void
      cond: long
        ident pid: pid_t
        cast: char
          member .a: int
            ident x: struct pair
        int 2: long
*/
