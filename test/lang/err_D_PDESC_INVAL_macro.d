pid$nosuch:::entry { }
/* error: line 1: invalid probe description "pid$nosuch:::entry": Undefined macro in probe description */
