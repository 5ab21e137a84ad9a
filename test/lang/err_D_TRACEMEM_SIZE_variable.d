BEGIN { tracemem((void *)0, pid); }
