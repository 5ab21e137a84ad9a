BEGIN / execname / { }
