a:dtrace:::BEGIN { }
/* error: line 1: invalid probe description "a:dtrace:::BEGIN": no such target: a */
