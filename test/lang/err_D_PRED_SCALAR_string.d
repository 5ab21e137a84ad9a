BEGIN / execname / { }
/* error: line 1: predicate must be of scalar type: string */
