enum e { A };
enum e { B };
BEGIN { }
/* error: line 2: enum e is defined already */
