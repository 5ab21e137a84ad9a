/* library */
provider v { probe x(char a, string s, string t, char *p); };
site v:::x from test:::int { return (args[0], "a", 0, execname); }
/* tree:
provider v
  probe x (char a, string s, string t, char * p) : (char a, string s, string t, char * p)
site v:::x from test:::int
  part
    return
      cast: char
        index native 0: int
          ident args: dynamic
          int 0: int
      str "a": string
      int 0: int
      ident execname: string
*/
