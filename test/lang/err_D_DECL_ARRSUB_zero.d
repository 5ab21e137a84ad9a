int x[0];
/* error: line 1: array subscript must be a positive integer constant or types */
